/** The law of every mechanism, enumerated at small widths, is exactly its channel. */

import { expect, test } from "vitest";
import { countCases, firstBrokenLaw, WIDE } from "./checks/laws.ts";
import * as product from "./product.ts";

test("every enumerated law is the channel's, and every path reads the same number of bits", () => {
  expect(countCases(product, WIDE)).toBeGreaterThan(700);
  expect(firstBrokenLaw(product, WIDE)).toBeNull();
});
