/** The one draw with what its wheels and coins showed, for the page's memory only. */

import type { Bits } from "../../privacy/bits.ts";
import type { Mechanism, Report, Truth } from "../../privacy/mechanisms/mechanism.ts";
import type { Manifest } from "../../wire/manifest.ts";
import { drawReport } from "../../wire/report.ts";

/** What one question's wheels did. With the report it tells the truth: never stored, wiped once shown. */
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
  const turns: Turn[] = [];
  const questions = manifest.questions.map((question, place) => {
    const { mechanism } = question;
    if (mechanism === null) return question;
    const report = (truth: Truth, source: Bits) => {
      const words: number[] = [];
      const drawn = mechanism.report(truth, noting(source, mechanism.bits, words));
      const wheels = mechanism.name === "every-box" ? words : words.slice(0, 1);
      turns.push({ question: place, mechanism, report: drawn, words: wheels });
      return drawn;
    };
    return { ...question, mechanism: { ...mechanism, report } };
  });
  return { reports: drawReport({ ...manifest, questions }, truths, bits).reports, turns };
}

/** Whether this word sends the own answer. */
export function isOwn({ num }: Mechanism, word: number): boolean {
  return word < num;
}

/** The same source; words as wide as the wheel's are noted. A coin's first such word is that of its tosses. */
function noting(source: Bits, wanted: number, words: number[]): Bits {
  return {
    get used() {
      return source.used;
    },
    word(width) {
      const value = source.word(width);
      if (width === wanted) words.push(value);
      return value;
    },
  };
}
