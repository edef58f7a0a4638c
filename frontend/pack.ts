/** Leaves out of the respondent's bundle what no device needs: keys of sentences, repeated letters, names of refusals. */

import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { SIGNS } from "./src/pages/respondent/unpack.ts";

const read = (name: string) => JSON.parse(readFileSync(new URL(`src/${name}.json`, import.meta.url), "utf8"));

/** Sentences in order, without their keys: every literal "$key" of the pages becomes its sentence's place. */
export function catalogues(): Plugin {
  const keys = Object.keys(read("i18n/en"));
  const place = (key: string) => {
    const at = keys.indexOf(key);
    if (at < 0) throw new Error(`no sentence ${key}`);
    return at;
  };
  return {
    name: "catalogues",
    enforce: "pre",
    load(id) {
      const name = /\/(i18n\/en|i18n\/ko|wire\/words)\.json$/.exec(id)?.[1];
      if (name === undefined) return null;
      return { code: name === "wire/words" ? wordLists() : sentences(name, keys), moduleType: "js" };
    },
    transform(code, id) {
      if (!/\/pages\/respondent\/[^/]+\.tsx?$/.test(id)) return null;
      const numbered = code
        .replace(/="(\$\w+)"/g, (_, key: string) => `={${place(key)}}`)
        .replace(/"(\$\w+)"/g, (_, key: string) => String(place(key)));
      return { code: numbered, map: null };
    },
  };
}

/** What only tests, logs and the server read, and a page never shows. */
const UNUSED: readonly (readonly [file: RegExp, what: RegExp, instead: string])[] = [
  // A refusal's facts, and its code unless the page tells it apart: see reason() in opening.ts.
  [/./, /\brefuse\(("[^"]+"), \{[^{}]*\}\)/g, "refuse($1)"],
  [/./, /(\brefuse\(|\], |(?:CHOICES|BOXES|TOSSES), )"(?!fingerprint|insecure)[a-z]+(-[a-z]+)+"/g, '$1""'],
  [
    /manifest\.ts$/,
    /\b(array|distinct|flag|instant|matching|string|texts|whole)\(([\w.]+), "\w+"/g,
    "$1($2, 0",
  ],
  [/report\.ts$/, /, packed: joined\(\.\.\.encoded\), shown/, ""],
  [/errors\.ts$/, /super\(.*\);/, "super(code);"],
  [/errors\.ts$/, /this\.facts = facts;/, ""],
  // A mechanism as it travels, and the size of its tally.
  [/mechanisms/, /^ +(manifest: \(\) => |cells: ).*,$/gm, ""],
];

/** Leaves out what the device computes with but nobody asks it for. */
export function withoutUnused(): Plugin {
  return {
    name: "without-unused",
    enforce: "pre",
    transform(code, id) {
      if (!/\/src\/(privacy|wire)\//.test(id)) return null;
      const rules = UNUSED.filter(([file]) => file.test(id));
      return {
        code: rules.reduce((text, [, what, instead]) => text.replace(what, instead), code),
        map: null,
      };
    },
  };
}

function sentences(name: string, keys: readonly string[]): string {
  const all = read(name) as Record<string, string>;
  const text = keys.map((key) => all[key]).join("|");
  if (name === "i18n/en") return `export default ${JSON.stringify(text)}.split("|")`;
  return `import { korean } from "/src/pages/respondent/unpack.ts";
    export default korean(${JSON.stringify(signs(text))}).split("|")`;
}

/** The fingerprint's words. */
function wordLists(): string {
  const { en, ko } = read("wire/words") as Record<string, readonly string[]>;
  return `import { korean, wordsOf } from "/src/pages/respondent/unpack.ts";
    export default {
      en: wordsOf(${JSON.stringify(shortened(en ?? []))}),
      ko: wordsOf(${JSON.stringify(shortened((ko ?? []).map(signs)))}).map(korean),
    }`;
}

/** Each word as the number of signs it shares with the one before, and the others. */
function shortened(words: readonly string[]): string {
  const pieces = words.map((word, at) => {
    const before = words[at - 1] ?? "";
    const shared = [...word].findIndex((sign, place) => sign !== before[place]);
    return shared + word.slice(shared);
  });
  return pieces.join("");
}

/** Korean letter by letter, each a sign that takes one byte; signs that stand for themselves after a tilde. */
function signs(text: string): string {
  return text.replace(/\{\w+\}|\S/g, (sign) => {
    if (sign.length > 1) return sign;
    if (!/[가-힣]/.test(sign)) return `~${SIGNS}`.includes(sign) ? `~${sign}` : sign;
    return [...sign.normalize("NFD")].map((one) => SIGNS[place(one.charCodeAt(0))]).join("");
  });
}

/** Where an initial, a vowel or a final stands among the signs. */
function place(code: number): number {
  return code < 0x1161 ? code - 0x1100 : code < 0x11a8 ? code - 0x1161 + 19 : code - 0x11a8 + 40;
}
