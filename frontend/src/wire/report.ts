/** The one draw of a whole questionnaire, and the one body that is ever sent of it. */

import type { Bits } from "../privacy/bits.ts";
import { refuse } from "../privacy/errors.ts";
import type { Mechanism, Report, Truth } from "../privacy/mechanisms/mechanism.ts";
import { type Bytes, base64url, hex, joined, unhex } from "./bytes.ts";
import type { Manifest } from "./manifest.ts";
import { KEY_BYTES } from "./seal.ts";

export interface Drawn {
  /** Lower-case hex, one per question with a mechanism, in manifest order. */
  readonly reports: readonly string[];
  /** Their bytes, concatenated: what is compared, sealed and stored. */
  readonly packed: Bytes;
  /** The same reports, for the wheels and coins that show this very draw. */
  readonly shown: readonly Report[];
}

/** The mechanisms of the questions that have one, in manifest order. */
export function mechanismsOf(manifest: Manifest): readonly Mechanism[] {
  return manifest.questions.flatMap((question) => question.mechanism ?? []);
}

/** Draw all reports from one source in one go; `truths` holds one truth per mechanism, in manifest order. */
export function drawReport(manifest: Manifest, truths: readonly Truth[], bits: Bits): Drawn {
  const mechanisms = mechanismsOf(manifest);
  if (truths.length !== mechanisms.length) refuse("truths-incomplete", { expected: mechanisms.length });
  const shown = mechanisms.map((mechanism, at) => mechanism.report(truths[at] as Truth, bits));
  const encoded = mechanisms.map((mechanism, at) => mechanism.encode(shown[at] as Report));
  return { reports: encoded.map(hex), packed: joined(...encoded), shown };
}

/** The reports inside packed bytes; refuses bytes that are not a report of this manifest. */
export function readPacked(manifest: Manifest, packed: Uint8Array): readonly Report[] {
  const mechanisms = mechanismsOf(manifest);
  const length = mechanisms.reduce((sum, mechanism) => sum + mechanism.width, 0);
  if (packed.length !== length) refuse("report-wrong-length", { length: packed.length, expected: length });
  let at = 0;
  return mechanisms.map((mechanism) => {
    at += mechanism.width;
    return mechanism.decode(packed.subarray(at - mechanism.width, at));
  });
}

/** The request body: no optional whitespace and fixed widths, so one length per version. */
export function bodyOf(version: number, reports: readonly string[], key: Bytes): string {
  if (key.length !== KEY_BYTES) refuse("key-wrong-length", { length: key.length });
  for (const report of reports) unhex(report);
  return JSON.stringify({ version, reports, key: base64url(key) });
}
