/** From the text of ε to the integers of a mechanism, always rounded toward more lying. */

import { decimalText } from "./accounting.ts";
import { refuse } from "./errors.ts";
import { type Bounds, expBounds, expReaches } from "./exponential.ts";
import { BOXES, CHOICES, TOSSES, whole } from "./limits.ts";

export interface Epsilon {
  /** As configured: a decimal or `ln(N)`. */
  readonly text: string;
  /** E = e^ε, when it is an integer exactly. */
  readonly exact: bigint | null;
  readonly tenThousandths: bigint | null;
}

const LEAST = 100n; // 0.01
const MOST = 160_000n; // 16

/** ε from text `\d{1,2}(.\d{1,4})?` in [0.01, 16], or `ln(N)` in the same range; never a float. */
export function parseEpsilon(text: string): Epsilon {
  if (typeof text !== "string") refuse("epsilon-malformed", { text });
  const logarithm = /^ln\(([1-9]\d{0,8})\)$/.exec(text);
  if (logarithm !== null) return ofLogarithm(text, BigInt(logarithm[1] as string));
  if (!/^\d{1,2}(\.\d{1,4})?$/.test(text)) refuse("epsilon-malformed", { text });
  const [units, decimals = ""] = text.split(".");
  const value = BigInt(`${units}${decimals.padEnd(4, "0")}`);
  if (value < LEAST || value > MOST) refuse("epsilon-out-of-range", { text });
  return { text, exact: null, tenThousandths: value };
}

/** num of 2^width for the spinner: ⌊2^width · E/(E+k−1)⌋; refuses when the truth is not the likeliest report. */
export function spinnerNum(epsilon: Epsilon, choices: number, width = 32): number {
  const others = BigInt(whole(choices, CHOICES, "choices-out-of-range") - 1);
  const all = 1n << BigInt(width);
  const num = floorOf(epsilon, (e, scale) => (all * e) / (e + others * scale));
  if (num * (others + 1n) <= all) refuse("truth-not-favoured", { text: epsilon.text, width });
  return Number(num);
}

/** num of 2^width for the coin forms: ⌊2^width · (E−1)/(E+k−1)⌋; refuses 0, which would never tell the truth. */
export function coinNum(epsilon: Epsilon, choices: number, width = 32): number {
  const others = BigInt(whole(choices, CHOICES, "choices-out-of-range") - 1);
  const all = 1n << BigInt(whole(width, TOSSES, "tosses-out-of-range"));
  const num = floorOf(epsilon, (e, scale) => (all * (e - scale)) / (e + others * scale));
  if (num === 0n) refuse("tosses-too-few", { text: epsilon.text, width });
  return Number(num);
}

/** One of `parts` equal shares of ε, rounded down to 4 decimals. */
export function split(epsilon: Epsilon, parts: number): Epsilon {
  whole(parts, BOXES, "boxes-out-of-range");
  if (epsilon.tenThousandths !== null)
    return parseEpsilon(decimalText(epsilon.tenThousandths / BigInt(parts)));
  const exact = epsilon.exact as bigint;
  let share = BigInt(Math.floor((Math.log(Number(exact)) * 10000) / parts) + 1);
  while (expReaches(share * BigInt(parts), exact, 1n)) share -= 1n;
  return parseEpsilon(decimalText(share));
}

function ofLogarithm(text: string, exact: bigint): Epsilon {
  const tooSmall = exact < 2n;
  if (tooSmall || !expReaches(MOST, exact, 1n)) refuse("epsilon-out-of-range", { text });
  return { text, exact, tenThousandths: null };
}

/** ⌊f(E)⌋ of a rising f, from both ends of E; more digits until the two agree. */
function floorOf(epsilon: Epsilon, f: (e: bigint, scale: bigint) => bigint): bigint {
  if (epsilon.exact !== null) return f(epsilon.exact, 1n);
  for (let digits = 40n; ; digits *= 2n) {
    const { lower, upper, scale }: Bounds = expBounds(epsilon.tenThousandths as bigint, digits);
    const floor = f(lower, scale);
    if (floor === f(upper, scale)) return floor;
  }
}
