/** The device answers every shared vector as the server does. */

import { expect, test } from "vitest";
import { differs, questions, readVectors, replayer } from "./checks/vectors.ts";
import * as product from "./product.ts";

const vectors = readVectors();
const all = [...questions(vectors)];

test("at least ten thousand vectors are shared, a thousand of them refusals", () => {
  expect(all.length).toBeGreaterThanOrEqual(10_000);
  expect(all.filter(([, , expected]) => "error" in expected).length).toBeGreaterThanOrEqual(500);
});

const calls = [...new Set(all.map(([call]) => call))];

test.each(calls)("every %s is answered as Python answers it", (name) => {
  const replay = replayer(product);
  const deviations = all
    .filter(([call]) => call === name)
    .map(([call, given, expected]) => [given, differs(replay(call, given), expected)] as const)
    .filter(([, deviation]) => deviation !== null);
  expect(deviations.slice(0, 5)).toEqual([]);
});

test("a wrong answer, a missing refusal and a wrong refusal are each noticed", () => {
  expect(differs({ report: 1 }, { report: 2 })).not.toBeNull();
  expect(differs({ report: 1 }, { error: "truth-out-of-range" })).not.toBeNull();
  expect(differs({ error: "TypeError" }, { error: "truth-out-of-range" })).not.toBeNull();
});
