/** Known answers so close to a whole number that floating point rounds them to the wrong side. */

import type { Product } from "./vectors.ts";

/** ε, choices and the integer, found by search and computed by Python's Decimal at 40 digits. */
const SPINNER = [
  ["1.4732", 10, 1_402_338_432],
  ["6.8505", 2, 4_290_424_054],
  ["15.9730", 60, 4_294_937_999],
] as const;
const COIN = [
  ["1.9571", 2, 3_231_694_566],
  ["1.4732", 10, 1_080_935_225],
  ["11.6220", 10, 4_294_582_213],
] as const;
/** Neighbouring ratios of 2^60 on both sides of e^ε for an ε of four decimals. */
const RATIOS = [
  [1_153_036_802_522_107_342n, "0.0001"],
  [1_153_036_802_522_107_343n, "0.0002"],
  [3_133_965_575_612_453_542n, "1.0000"],
  [3_133_965_575_612_453_543n, "1.0001"],
  [10_244_987_911_406_668_661_989_259n, "16.0000"],
  [10_244_987_911_406_668_661_989_260n, "16.0001"],
] as const;

/** The first of them that comes out otherwise, or null. */
export function firstWrongEdge({ accounting, budget }: Product): string | null {
  for (const [text, choices, num] of SPINNER) {
    if (budget.spinnerNum(budget.parseEpsilon(text), choices) !== num) return `spinner ${text} ${choices}`;
  }
  for (const [text, choices, num] of COIN) {
    if (budget.coinNum(budget.parseEpsilon(text), choices) !== num) return `spinner-coin ${text} ${choices}`;
  }
  for (const [num, published] of RATIOS) {
    if (accounting.publishedEpsilon({ num, den: 2n ** 60n }) !== published) return `ln of ${num}/2^60`;
  }
  return null;
}
