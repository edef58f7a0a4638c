/** The three exact draws from which every mechanism is made; integers only. */

import type { Bits } from "./bits.ts";
import { refuse } from "./errors.ts";

/** True with probability num / 2^width. */
export function bernoulli(num: number, bits: Bits, width = 32): boolean {
  if (!Number.isInteger(num) || num <= 0 || num >= 2 ** width) refuse("num-out-of-range", { num, width });
  return bits.word(width) < num;
}

/** A uniform integer in 0 … n−1, by rejection and never by modulo; n = 1 reads nothing. */
export function below(n: number, bits: Bits): number {
  if (!Number.isInteger(n) || n < 1 || n > 2 ** 32) refuse("range-empty", { n });
  const width = bitLength(n - 1);
  let value = bits.word(width);
  while (value >= n) value = bits.word(width);
  return value;
}

/** The first index whose cumulative weight exceeds one word; the weights sum to 2^width. */
export function categorical(weights: readonly number[], bits: Bits, width = 32): number {
  if (weights.some((weight) => !Number.isInteger(weight) || weight < 0)) refuse("weights-malformed");
  if (weights.reduce((sum, weight) => sum + weight, 0) !== 2 ** width) refuse("weights-malformed");
  const word = bits.word(width);
  let cumulative = 0;
  return weights.findIndex((weight) => {
    cumulative += weight;
    return cumulative > word;
  });
}

function bitLength(n: number): number {
  return n === 0 ? 0 : 32 - Math.clz32(n);
}
