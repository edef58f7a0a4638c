/** Reads the lists that pack.ts writes: Korean letter by letter, words without what they share with the one before. */

/**
 * One sign for each letter of a syllable: 19 initials, 21 vowels, 27 finals, in Unicode's order.
 * Frequent letters have the signs that are frequent in code, so that both compress with one table.
 */
export const SIGNS = "o/fcCdmb*sHt=_vBqT?euDViwk^r;W-zyUOA>h+npQYaM![gRLXJIZKx]&SPlE<GjFN";

/** The Korean text; a {place} is no letters, nor is the sign after a tilde. */
export function korean(signs: string): string {
  return signs.replace(/\{\w+\}|~?\S/g, letter).normalize("NFC");
}

/** Each word: how many signs it shares with the one before, then the others. */
export function wordsOf(text: string): readonly string[] {
  let word = "";
  return text.split(/(?=\d)/).map((one) => {
    word = word.slice(0, Number(one[0])) + one.slice(1);
    return word;
  });
}

function letter(sign: string): string {
  const at = sign.length > 1 ? -1 : SIGNS.indexOf(sign);
  if (at < 0) return sign.replace("~", "");
  return String.fromCharCode(at + (at < 19 ? 0x1100 : at < 40 ? 0x1161 - 19 : 0x11a8 - 40));
}
