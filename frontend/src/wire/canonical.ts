/** RFC 8785 canonical JSON, for the values a manifest may hold: no fractions, no lone surrogates. */

import { refuse } from "../privacy/errors.ts";

/** The canonical text of strings, whole numbers below 2^53, booleans, null, arrays and plain objects. */
export function canonical(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return wholeNumber(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isPlain(value)) return `{${members(value).join(",")}}`;
  return refuse("not-canonical", { type: typeof value });
}

function members(object: Readonly<Record<string, unknown>>): string[] {
  // Without a comparison function strings sort by UTF-16 code units, as the RFC wants.
  const names = Object.keys(object).sort();
  return names.map((name) => `${quoted(name)}:${canonical(object[name])}`);
}

function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value)) refuse("not-canonical", { value });
  return JSON.stringify(value);
}

function quoted(text: string): string {
  if (/\p{Surrogate}/u.test(text)) refuse("not-canonical", { text: "lone surrogate" });
  return JSON.stringify(text);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
}
