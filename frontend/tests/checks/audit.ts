/** A small audit: whether the counts of real draws are explained by the channel. */

import { audited, countsOf } from "../../audit/draws.ts";
import type { Mechanism } from "../../src/privacy/mechanisms/mechanism.ts";
import type { Product } from "./vectors.ts";

/** The first count that its exact chance cannot explain, or null; false alarms in all: 1e-6. */
export function firstOddCount(product: Product, mechanisms: readonly Mechanism[], n: number): string | null {
  const cells = mechanisms.reduce((sum, { choices }) => sum + choices * choices, 0);
  for (const mechanism of mechanisms) {
    for (let truth = 0; truth < mechanism.choices; truth++) {
      const odd = oddCount(product, mechanism, truth, n, 1e-6 / cells);
      if (odd !== null) return `${JSON.stringify(mechanism.manifest())} truth ${truth} ${odd}`;
    }
  }
  return null;
}

/** A few of the audited mechanisms, for the mutants. */
export function fewAudited(product: Product): readonly Mechanism[] {
  return audited(product).filter(({ choices }, at) => choices < 20 && at % 4 === 1);
}

function oddCount(product: Product, mechanism: Mechanism, truth: number, n: number, alarm: number) {
  const channel = mechanism.channel();
  for (const [report, count] of countsOf(product, mechanism, truth, n).entries()) {
    const { num, den } = product.channel.probability(channel, report, truth);
    if (!explained(count, n, Number(num) / Number(den), alarm)) return `report ${report}: ${count} of ${n}`;
  }
  return null;
}

/** Chernoff: the chance of a count as far off as this, on its side, is at most exp(−n·KL(count/n ‖ chance)). */
export function explained(count: number, n: number, chance: number, alarm: number): boolean {
  const share = count / n;
  const term = (a: number, b: number) => (a === 0 ? 0 : a * Math.log(a / b));
  return n * (term(share, chance) + term(1 - share, 1 - chance)) <= Math.log(2 / alarm);
}
