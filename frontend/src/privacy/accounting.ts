/** Published ε: the logarithm of an exact ratio, rounded up to 4 decimals, and sums of such texts. */

import type { Fraction } from "./channel.ts";
import { refuse } from "./errors.ts";
import { expReaches } from "./exponential.ts";

/** ln(ratio) rounded up to 4 decimals, as text. */
export function publishedEpsilon(ratio: Fraction | null): string {
  if (ratio === null) refuse("epsilon-infinite");
  const { num, den } = ratio;
  if (den <= 0n || num < den) refuse("channel-malformed", { num, den });
  // Floating point only guesses where to look; exact comparisons decide.
  let ceiling = BigInt(Math.max(0, Math.floor(Math.log(Number(num) / Number(den)) * 10000) - 1));
  while (!expReaches(ceiling, num, den)) ceiling += 1n;
  while (ceiling > 0n && expReaches(ceiling - 1n, num, den)) ceiling -= 1n;
  return decimalText(ceiling);
}

/** The sum of published values, as text. */
export function total(epsilons: readonly string[]): string {
  return decimalText(epsilons.reduce((sum, text) => sum + tenThousandths(text), 0n));
}

/** A published value in ten-thousandths; refuses any other text. */
export function tenThousandths(text: string): bigint {
  if (typeof text !== "string" || !/^\d{1,6}\.\d{4}$/.test(text)) refuse("epsilon-malformed", { text });
  return BigInt(text.replace(".", ""));
}

export function decimalText(value: bigint): string {
  const digits = value.toString().padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}
