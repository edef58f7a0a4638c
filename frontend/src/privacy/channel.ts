/** A channel: the exact matrix P[report | truth], from which ε is read. */

import { refuse } from "./errors.ts";

export interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

export interface Channel {
  /** Rows by report, columns by truth, as parts of `whole`. */
  readonly parts: readonly (readonly bigint[])[];
  readonly whole: bigint;
}

/** The channel of these parts; refuses when a column is not a distribution. */
export function channelOf(parts: readonly (readonly bigint[])[], whole: bigint): Channel {
  const truths = parts[0]?.length ?? 0;
  if (truths < 1 || parts.some((row) => row.length !== truths)) refuse("channel-malformed", { truths });
  for (let truth = 0; truth < truths; truth++) {
    const column = parts.map((row) => row[truth] as bigint);
    const sum = column.reduce((a, b) => a + b, 0n);
    if (column.some((part) => part < 0n) || sum !== whole) refuse("channel-malformed", { truth });
  }
  return { parts, whole };
}

/** The channel of a matrix of fractions, over one denominator. */
export function channelOfFractions(matrix: readonly (readonly Fraction[])[]): Channel {
  const whole = matrix.flat().reduce((product, { den }) => (product * den) / gcd(product, den), 1n);
  const parts = matrix.map((row) => row.map(({ num, den }) => num * (whole / den)));
  return channelOf(parts, whole);
}

/** The k-ary channel with `keep` of `whole` on the diagonal and `other` everywhere else. */
export function symmetric(keep: bigint, other: bigint, choices: number, whole: bigint): Channel {
  const answers = Array.from({ length: choices }, (_, index) => index);
  return channelOf(
    answers.map((report) => answers.map((truth) => (report === truth ? keep : other))),
    whole,
  );
}

/** P[report | truth], in lowest terms. */
export function probability(channel: Channel, report: number, truth: number): Fraction {
  const part = channel.parts[report]?.[truth] ?? refuse("channel-malformed", { report, truth });
  return reduced(part, channel.whole);
}

/** The largest P[r|t] / P[r|t′], whose logarithm is ε; null when a report rules a truth out (ε infinite). */
export function ratio(channel: Channel): Fraction | null {
  let worst: Fraction = { num: 1n, den: 1n };
  for (const row of channel.parts) {
    const most = row.reduce((a, b) => (a > b ? a : b));
    const least = row.reduce((a, b) => (a < b ? a : b));
    if (most === 0n) continue; // a report that nobody sends tells nothing
    if (least === 0n) return null;
    if (most * worst.den > worst.num * least) worst = { num: most, den: least };
  }
  return reduced(worst.num, worst.den);
}

export function reduced(num: bigint, den: bigint): Fraction {
  const divisor = gcd(num, den);
  return { num: num / divisor, den: den / divisor };
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
