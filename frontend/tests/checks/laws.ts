/** Laws are computed: every bit string that a draw can read is enumerated and counted against the channel. */

import type { Channel } from "../../src/privacy/channel.ts";
import type { Mechanism, Report, Truth } from "../../src/privacy/mechanisms/mechanism.ts";
import type { Product } from "./vectors.ts";

/** A mechanism at a small width, a truth, and how many bits a draw without rejection reads. */
interface Case {
  readonly name: string;
  readonly mechanism: Mechanism;
  readonly truth: Truth;
  readonly reads: number;
  /** The exact chance of a report. */
  chance(report: readonly number[]): readonly [num: bigint, den: bigint];
}

const bitLength = (n: number) => (n === 0 ? 0 : n.toString(2).length);
const others = { spinner: 1, "spinner-coin": 0, coin: 0 };

/** How much is enumerated of the mechanisms of one answer. */
export interface Extent {
  readonly choices: readonly number[];
  readonly widths: readonly number[];
}

export const WIDE: Extent = { choices: [2, 3, 4, 5, 6, 9], widths: [1, 2, 3, 5, 8] };
/** Enough for the mutants. */
export const NARROW: Extent = { choices: [2, 3, 4, 6], widths: [1, 3, 4] };

/** The first law that is not the channel's, or null. */
export function firstBrokenLaw(product: Product, extent: Extent): string | null {
  for (const one of cases(product, extent)) {
    const broken = brokenLaw(product, one);
    if (broken !== null) return `${one.name}, truth ${one.truth}: ${broken}`;
  }
  return null;
}

/** How many (mechanism, truth) pairs are enumerated. */
export function countCases(product: Product, extent: Extent): number {
  return [...cases(product, extent)].length;
}

function brokenLaw(product: Product, { mechanism, truth, reads, chance }: Case): string | null {
  const counts: number[] = [];
  let accepted = 0;
  for (let string = 0; string < 2 ** reads; string++) {
    const bits = product.bits.byteBits(leftAligned(string, reads));
    const report = mechanism.report(truth, bits);
    if (bits.used < reads) return `reads only ${bits.used} of ${reads} bits`;
    if (bits.used > reads) continue; // something was thrown away: the law is that of the others
    const key = keyOf(report);
    counts[key] = (counts[key] ?? 0) + 1;
    accepted += 1;
  }
  for (const [key, count] of counts.entries()) {
    if (count === undefined) continue;
    const [num, den] = chance(reportOf(key, mechanism));
    if (BigInt(count) * den !== num * BigInt(accepted))
      return `P[${key}] is ${count}/${accepted}, not ${num}/${den}`;
  }
  return null;
}

/** A report as one number, and back. */
const keyOf = (report: Report): number => [report].flat().reduce((key, part) => key * 256 + part, 0);
const reportOf = (key: number, { width }: Mechanism): number[] =>
  Array.from({ length: width }, (_, at) => Math.floor(key / 256 ** (width - 1 - at)) % 256);

/** The string's bits at the head of four bytes, then zero bytes for what is read beyond; valid until the next. */
function leftAligned(string: number, reads: number): Uint8Array {
  head.setUint32(0, string * 2 ** (32 - reads));
  return bytes;
}

const bytes = new Uint8Array(24);
const head = new DataView(bytes.buffer);

function* cases(product: Product, extent: Extent): Generator<Case> {
  for (const choices of extent.choices) {
    for (const width of extent.widths) yield* singles(product, choices, width);
  }
  for (const boxes of [1, 2, 3, 5]) for (const choices of [2, 3]) yield* drawnBoxes(product, boxes, choices);
  for (const choices of [2, 3]) yield* allBoxes(product, choices);
}

function* singles(product: Product, choices: number, width: number): Generator<Case> {
  for (const num of nums(width)) {
    const made = [product.spinnerCoin(choices, num, width), product.coin(choices, width, num)];
    // A spinner refuses p ≤ q, so the smaller nums are left out there.
    if (num * choices > 2 ** width) made.push(product.spinner(choices, num, width));
    for (const mechanism of made) {
      const tail = choices - others[mechanism.name as keyof typeof others];
      const reads = width + bitLength(tail - 1);
      for (const truth of spread(choices)) yield { ...single(product, mechanism, truth), reads };
    }
  }
}

function single(product: Product, mechanism: Mechanism, truth: number): Omit<Case, "reads"> {
  const law = law2(product, mechanism.channel());
  const name = JSON.stringify(mechanism.manifest());
  return { name, mechanism, truth, chance: ([report]) => law(report as number, truth) };
}

function* drawnBoxes(product: Product, boxes: number, choices: number): Generator<Case> {
  const width = 4;
  const mechanism = product.oneBox(boxes, choices, 11, width);
  const law = law2(product, product.spinner(choices, 11, width).channel());
  const reads = bitLength(boxes - 1) + width + bitLength(choices - 2);
  const ticks = Array.from({ length: boxes }, (_, box) => (box * 2 + 1) % choices);
  const chance = ([box, report]: readonly number[]): readonly [bigint, bigint] => {
    const [num, den] = law(report as number, ticks[box as number] as number);
    return [num, den * BigInt(boxes)];
  };
  yield { name: `one-box ${boxes} ${choices}`, mechanism, truth: ticks, reads, chance };
}

function* allBoxes(product: Product, choices: number): Generator<Case> {
  const width = 4;
  const mechanism = product.everyBox(2, choices, 11, width);
  const law = law2(product, product.spinner(choices, 11, width).channel());
  const reads = 2 * (width + bitLength(choices - 2));
  for (const ticks of [
    [0, 1],
    [1, 1],
    [choices - 1, 0],
  ] as const) {
    const chance = (report: readonly number[]): readonly [bigint, bigint] => {
      const [a, b] = report.map((one, box) => law(one, ticks[box] as number)) as [
        [bigint, bigint],
        [bigint, bigint],
      ];
      return [a[0] * b[0], a[1] * b[1]];
    };
    yield { name: `every-box ${choices}`, mechanism, truth: ticks, reads, chance };
  }
}

function law2(product: Product, channel: Channel) {
  return (report: number, truth: number): readonly [bigint, bigint] => {
    const { num, den } = product.channel.probability(channel, report, truth);
    return [num, den];
  };
}

const nums = (width: number): readonly number[] =>
  [...new Set([1, 2 ** (width - 1), Math.ceil(0.7 * 2 ** width), 2 ** width - 1])].filter(
    (num) => num > 0 && num < 2 ** width,
  );

const spread = (choices: number): readonly number[] => [...new Set([0, choices >> 1, choices - 1])];
