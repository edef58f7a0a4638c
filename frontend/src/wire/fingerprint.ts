/** The fingerprint of a manifest, as hex and as words that two people can compare. */

import { refuse } from "../privacy/errors.ts";
import { hex, sha256, unhex, utf8 } from "./bytes.ts";
import { canonical } from "./canonical.ts";

/** SHA-256 of the canonical manifest without the fields that may change while it is open. */
export async function fingerprintOf(manifest: Readonly<Record<string, unknown>>): Promise<string> {
  const { fingerprint: _, state: __, ...fixed } = manifest;
  return hex(await sha256(utf8(canonical(fixed))));
}

/** Refuses a manifest that is not the one it says it is, or not the announced one. */
export async function fingerprintCheck(
  manifest: Readonly<Record<string, unknown>>,
  announced: string | null = null,
): Promise<void> {
  const actual = await fingerprintOf(manifest);
  if (manifest.fingerprint !== actual) refuse("fingerprint-wrong", { actual });
  if (announced !== null && announced !== actual) refuse("fingerprint-not-announced", { actual, announced });
}

/** Eight words, of a language's 256, for the first eight bytes. */
export function fingerprintWords(fingerprint: string, words: readonly string[]): string[] {
  const first = unhex(fingerprint.slice(0, 16));
  if (first.length !== 8) refuse("fingerprint-wrong", { fingerprint });
  return Array.from(first, (byte) => words[byte] as string);
}
