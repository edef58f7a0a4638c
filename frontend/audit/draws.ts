/** What is audited, and real draws of it with the product's own secure source. */

import type { Mechanism } from "../src/privacy/mechanisms/mechanism.ts";
import type { Product } from "../tests/checks/vectors.ts";

const EPSILONS = ["0.5", "1", "2", "4"];
const CHOICES = [2, 5, 20];
const TOSSES = 10;
/** The most that one call of crypto.getRandomValues fills. */
const CHUNK = 65_536;

/** Three protocols at four ε with three numbers of answers. */
export function audited({ catalogue: { configure } }: Pick<Product, "catalogue">): readonly Mechanism[] {
  return EPSILONS.flatMap((epsilon) =>
    CHOICES.flatMap((choices) => [
      configure("spinner", epsilon, choices),
      configure("spinner-coin", epsilon, choices),
      configure("coin", epsilon, choices, { tosses: TOSSES }),
    ]),
  );
}

/** How often each report came from `n` draws of one truth. */
export function countsOf(
  { bits: { secureBits } }: Pick<Product, "bits">,
  mechanism: Mechanism,
  truth: number,
  n: number,
): number[] {
  const bits = secureBits(CHUNK);
  const counts = Array<number>(mechanism.choices).fill(0);
  for (let draw = 0; draw < n; draw++) {
    const report = mechanism.report(truth, bits) as number;
    counts[report] = (counts[report] ?? 0) + 1;
  }
  return counts;
}
