/** Checks that turn unknown JSON into typed values, or refuse and name the field. */

import { refuse } from "../privacy/errors.ts";

export type Row = Readonly<Record<string, unknown>>;

const malformed = (field: string): never => refuse("manifest-malformed", { field });

/** An object with exactly these fields, and perhaps the optional ones. */
export function fields(
  value: unknown,
  field: string,
  names: readonly string[],
  optional: readonly string[] = [],
): Row {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return malformed(field);
  for (const name of names) if (!Object.hasOwn(value, name)) malformed(name);
  for (const name of Object.keys(value))
    if (!names.includes(name) && !optional.includes(name)) malformed(name);
  return value as Row;
}

export function array(value: unknown, field: string): readonly unknown[] {
  return Array.isArray(value) ? value : malformed(field);
}

export function string(value: unknown, field: string): string {
  return matching(value, field, /^[^\p{Cc}\p{Surrogate}]{1,200}$/u);
}

export function matching(value: unknown, field: string, pattern: RegExp): string {
  return typeof value === "string" && pattern.test(value) ? value : malformed(field);
}

export function flag(value: unknown, field: string): boolean {
  return typeof value === "boolean" ? value : malformed(field);
}

export function whole(value: unknown, field: string, least: number, most: number): number {
  const fits = Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  return fits ? (value as number) : malformed(field);
}

/** A text in both languages. */
export function texts(value: unknown, field: string): Readonly<Record<"ko" | "en", string>> {
  const { ko, en } = fields(value, field, ["ko", "en"]);
  return typeof ko === "string" && typeof en === "string" ? { ko, en } : malformed(field);
}

/** An instant in UTC, to the second or finer. */
export function instant(value: unknown, field: string): string {
  const text = matching(value, field, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/);
  return Number.isNaN(Date.parse(text)) ? malformed(field) : text;
}

/** Refuses two things with one id. */
export function distinct(things: readonly { readonly id: string }[], field: string): void {
  if (new Set(things.map(({ id }) => id)).size !== things.length) malformed(field);
}
