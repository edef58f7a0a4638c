/** What every mechanism offers: a draw, its exact law, its price and its bytes. */

import type { Bits } from "../bits.ts";
import type { Channel } from "../channel.ts";
import { refuse } from "../errors.ts";
import { BOX_CHOICES, BOXES, CHOICES, whole } from "../limits.ts";

/** An answer index, or one per box. */
export type Truth = number | readonly number[];
/** An answer index; one box: [box, answer]; every box: one answer per box. */
export type Report = number | readonly number[];
/** A mechanism as it travels in the manifest. */
export type Integers = Readonly<Record<string, string | number>>;

export interface Mechanism {
  readonly name: string;
  /** The extra category included; of one box for the box mechanisms. */
  readonly choices: number;
  /** Present for the box mechanisms. */
  readonly boxes?: number;
  /** Bytes on the wire. */
  readonly width: number;
  /** Cells of its tally; boxes: row-major by box. */
  readonly cells: number;
  /** The chance that the answer itself decides the report: num of 2^bits, or T of 2^tosses. */
  readonly num: number;
  readonly bits: number;
  report(truth: Truth, bits: Bits): Report;
  /** The exact law; of one box for the box mechanisms. */
  channel(): Channel;
  /** The published ε of the whole question. */
  epsilon(): string;
  encode(report: Report): Uint8Array<ArrayBuffer>;
  decode(data: Uint8Array): Report;
  manifest(): Integers;
}

/** How many answers a question may have. */
export function choicesChecked(choices: number): number {
  return whole(choices, CHOICES, "choices-out-of-range");
}

/** Refuses no boxes, too many, or a box with other answers than yes, no and silence. */
export function boxesChecked(boxes: number, choices: number): void {
  whole(boxes, BOXES, "boxes-out-of-range");
  whole(choices, BOX_CHOICES, "choices-out-of-range");
}

/** num of 2^bits, neither impossible nor certain. */
export function numChecked(num: number, bits: number): number {
  return whole(num, [1, 2 ** bits - 1], "num-out-of-range");
}

/** A true answer, refused before any bit is read when it is none. */
export function truthChecked(truth: unknown, choices: number): number {
  return whole(truth, [0, choices - 1], "truth-out-of-range");
}

/** One true answer per box. */
export function boxesAnswered(truth: Truth, boxes: number, choices: number): readonly number[] {
  if (typeof truth === "number" || truth.length !== boxes) refuse("truth-malformed", { boxes });
  return truth.map((answer) => truthChecked(answer, choices));
}

/** The bytes of a report, each below its own limit. */
export function reportChecked(data: ArrayLike<number>, limits: readonly number[]): number[] {
  const expected = limits.length;
  if (data.length !== expected) refuse("report-wrong-length", { length: data.length, expected });
  return limits.map((limit, at) => whole(data[at], [0, limit - 1], "report-out-of-range"));
}
