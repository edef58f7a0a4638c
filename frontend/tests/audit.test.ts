/** A small audit of the secure source and the mechanisms; `npm run audit` is the long one. */

import { expect, test } from "vitest";
import { audited } from "../audit/draws.ts";
import { explained, firstOddCount } from "./checks/audit.ts";
import * as product from "./product.ts";

const N = 20_000; // draws a truth; over all cells together a false alarm has a chance of 1e-6

test("the counts of real draws are explained by the channels", () => {
  expect(audited(product)).toHaveLength(36);
  expect(firstOddCount(product, audited(product), N)).toBeNull();
});

test("of a million draws, a share that is off by a hundredth of itself is not explained", () => {
  expect(explained(731_059, 1_000_000, 0.731059, 1e-9)).toBe(true);
  expect(explained(732_000, 1_000_000, 0.731059, 1e-9)).toBe(true);
  expect(explained(738_370, 1_000_000, 0.731059, 1e-9)).toBe(false);
});
