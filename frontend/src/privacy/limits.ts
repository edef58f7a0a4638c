/** The ranges of the integers that describe a mechanism, and the one way to check them. */

import { refuse } from "./errors.ts";

export type Limits = readonly [least: number, most: number];

export const CHOICES: Limits = [2, 256];
export const BOXES: Limits = [1, 256];
/** Ticked, not ticked and perhaps "no answer". */
export const BOX_CHOICES: Limits = [2, 3];
export const TOSSES: Limits = [1, 32];

/** The value, when it is a whole number within the limits; else a refusal with this code. */
export function whole(value: unknown, [least, most]: Limits, code: string): number {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
    refuse(code, { value, least, most });
  return value as number;
}
