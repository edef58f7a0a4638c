/** Every mutant of the product's own source is caught by the vectors, an edge, a law, the source check or the audit. */

import { afterAll, expect, test } from "vitest";
import { fewAudited, firstOddCount } from "./checks/audit.ts";
import { firstWrongEdge } from "./checks/edges.ts";
import { firstBrokenLaw, NARROW } from "./checks/laws.ts";
import { sourceFault } from "./checks/source.ts";
import { firstDeviation, type Product, readVectors } from "./checks/vectors.ts";
import { built } from "./mutants/build.ts";
import { mutants } from "./mutants/list.ts";

const vectors = readVectors();
const N = 10_000; // draws a truth in the small audit

const checks: Readonly<Record<string, (product: Product) => string | null>> = {
  vectors: (product) => firstDeviation(product, vectors),
  edges: firstWrongEdge,
  law: (product) => firstBrokenLaw(product, NARROW),
  source: sourceFault,
  audit: (product) => firstOddCount(product, fewAudited(product), N),
};

const killers: string[] = [];

/** The checks that notice something; one that cannot even finish has noticed. */
function killersOf(product: Product): string[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    try {
      return check(product) === null ? [] : [name];
    } catch {
      return [name];
    }
  });
}

test("the product itself, built in the same way, passes every check", async () => {
  expect(killersOf(await built(null))).toEqual([]);
});

test("there are at least twenty-five mutants, all different", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(25);
  expect(new Set(mutants.map(({ file, name }) => `${file} ${name}`)).size).toBe(mutants.length);
});

test.each(mutants.map((mutant) => [`${mutant.file}: ${mutant.name}`, mutant] as const))(
  "%s is caught",
  async (name, mutant) => {
    const killed = killersOf(await built(mutant));
    killers.push(`${name} ← ${killed.join(", ") || "NOTHING"}`);
    expect(killed).not.toEqual([]);
  },
);

afterAll(() => console.log(killers.join("\n")));
