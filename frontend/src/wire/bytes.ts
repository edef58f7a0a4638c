/** Bytes as text and as digests. */

import { refuse } from "../privacy/errors.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function hex(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes of lower-case hex; refuses any other text. */
export function unhex(text: string): Bytes {
  if (!/^([0-9a-f]{2})*$/.test(text)) refuse("hex-malformed");
  return Uint8Array.from({ length: text.length / 2 }, (_, at) =>
    Number.parseInt(text.slice(2 * at, 2 * at + 2), 16),
  );
}

/** base64url without padding. */
export function base64url(data: Uint8Array): string {
  const text = btoa(String.fromCharCode(...data));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function joined(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** SHA-256; refuses where the page is not in a secure context, because then there is none. */
export async function sha256(data: Bytes): Promise<Bytes> {
  const subtle = globalThis.crypto?.subtle ?? refuse("insecure-context");
  return new Uint8Array(await subtle.digest("SHA-256", data));
}
