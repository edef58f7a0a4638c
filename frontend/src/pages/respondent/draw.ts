/** The one draw with what its wheels and coins showed, for the page's memory only. */

import type { Bits } from "../../privacy/bits.ts";
import type { Mechanism, Report, Truth } from "../../privacy/mechanisms/mechanism.ts";
import type { Manifest } from "../../wire/manifest.ts";
import { drawReport, mechanismsOf } from "../../wire/report.ts";

/** What one question's wheels did. With the report it tells the truth: never stored, wiped with the answers. */
export interface Turn {
  /** The question's place in the manifest. */
  readonly question: number;
  readonly mechanism: Mechanism;
  readonly report: Report;
  /** The words drawn: below `num` the own answer goes. One per box when every box has its wheel. */
  readonly words: readonly number[];
}

export interface Draw {
  readonly reports: readonly string[];
  readonly turns: readonly Turn[];
}

/** Draws all questions once, noting the words by which the wheels stopped. */
export function drawOnce(manifest: Manifest, truths: readonly Truth[], bits: Bits): Draw {
  const read: (readonly [width: number, value: number])[] = [];
  const noting: Bits = {
    get used() {
      return bits.used;
    },
    word(width) {
      const value = bits.word(width);
      read.push([width, value]);
      return value;
    },
  };
  const { reports, shown } = drawReport(manifest, truths, noting);
  return { reports, turns: turnsOf(manifest, shown, read) };
}

/** Whether this word sends the own answer. */
export function isOwn({ num }: Mechanism, word: number): boolean {
  return word < num;
}

/** The choice at random that follows a turn of the wheel reads its words after the wheel's own. */
function turnsOf(
  manifest: Manifest,
  shown: readonly Report[],
  read: (readonly [number, number])[],
): readonly Turn[] {
  const places = manifest.questions.flatMap(({ mechanism }, at) => (mechanism === null ? [] : [at]));
  return mechanismsOf(manifest).map((mechanism, at) => ({
    question: places[at] as number,
    mechanism,
    report: shown[at] as Report,
    words: wheelWords(mechanism, read),
  }));
}

/** Takes one mechanism's words off the front of what was read, and answers those of its wheels. */
function wheelWords(mechanism: Mechanism, read: (readonly [number, number])[]): readonly number[] {
  const { name, boxes = 1, choices, bits } = mechanism;
  if (name === "one-box") skipBelow(boxes, read);
  const any = name === "spinner-coin" || name === "coin";
  return Array.from({ length: name === "every-box" ? boxes : 1 }, () => {
    const [width, value] = read.shift() ?? [0, 0];
    if (width !== bits) throw new Error("draws out of step");
    skipBelow(any ? choices : choices - 1, read);
    return value;
  });
}

/** Passes over one draw below n, rejected words included. */
function skipBelow(n: number, read: (readonly [number, number])[]): void {
  // Also for n = 1, which asks for a word of no bits.
  while ((read.shift()?.[1] ?? 0) >= n);
}
