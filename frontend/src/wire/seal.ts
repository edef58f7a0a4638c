/** What the server keeps of a sent report, computed here too, so that its receipt can be checked. */

import { refuse } from "../privacy/errors.ts";
import { type Bytes, hex, joined, sha256, utf8 } from "./bytes.ts";

export const KEY_BYTES = 32;

const u32 = (value: number): Bytes => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
};

/** A fresh key, never reused: the server stores one report for it. */
export function newKey(): Bytes {
  if (typeof globalThis.crypto?.getRandomValues !== "function") refuse("randomness-unavailable");
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES));
}

/** The digest under which the server notes that this key was used. */
export function spentOf(slug: string, key: Bytes): Promise<Bytes> {
  return sha256(joined(utf8(`deniable/spent/1\0${slug}\0`), key));
}

/** The digest that ties this key to exactly these report bytes. */
export function sealOf(slug: string, version: number, key: Bytes, packed: Bytes): Promise<Bytes> {
  return sha256(joined(utf8(`deniable/seal/1\0${slug}\0`), u32(version), key, packed));
}

/** The receipt that the server must answer with for these bytes: 32 hex characters. */
export async function receiptOf(slug: string, version: number, key: Bytes, packed: Bytes): Promise<string> {
  const seal = await sealOf(slug, version, key, packed);
  return hex((await sha256(joined(utf8("deniable/receipt/1\0"), seal))).slice(0, 16));
}
