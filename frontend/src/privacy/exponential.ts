/** e^x between two integers, for decimal x: the one transcendental that ε needs, in bigint fixed point. */

export interface Bounds {
  readonly lower: bigint;
  readonly upper: bigint;
  /** Both bounds are parts of this. */
  readonly scale: bigint;
}

/** Bounds of e^(tenThousandths / 10000), by Taylor's series with each term rounded down and up. */
export function expBounds(tenThousandths: bigint, digits: bigint): Bounds {
  const scale = 10n ** digits;
  let [lowTerm, highTerm] = [scale, scale];
  let [lower, upper] = [scale, scale];
  // Ends past n = 2x, where each further term is at most half of the one before: the rest is at most one term.
  for (let n = 1n; highTerm > 1n || n * 10000n <= 2n * tenThousandths; n++) {
    const divisor = n * 10000n;
    lowTerm = (lowTerm * tenThousandths) / divisor;
    highTerm = (highTerm * tenThousandths + divisor - 1n) / divisor;
    lower += lowTerm;
    upper += highTerm;
  }
  return { lower, upper: upper + highTerm, scale };
}

/** Whether e^(tenThousandths / 10000) ≥ num / den; exact, because the two are equal only for 0 and 1. */
export function expReaches(tenThousandths: bigint, num: bigint, den: bigint): boolean {
  if (tenThousandths === 0n) return num <= den;
  for (let digits = 40n; ; digits *= 2n) {
    const { lower, upper, scale } = expBounds(tenThousandths, digits);
    if (lower * den >= num * scale) return true;
    if (upper * den < num * scale) return false;
  }
}
