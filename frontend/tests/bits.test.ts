/** The secure source, the exact edges, and what no vector can say. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { firstWrongEdge } from "./checks/edges.ts";
import { sourceFault } from "./checks/source.ts";
import * as product from "./product.ts";

const { accounting, bits, budget, catalogue, channel, sampling } = product;

test("the secure source hands out the platform's bytes, or refuses", () => {
  expect(sourceFault(product)).toBeNull();
});

test("integers and published ε are right where floating point is wrong", () => {
  expect(firstWrongEdge(product)).toBeNull();
  const e = Math.exp(1.4732);
  expect(Math.floor((2 ** 32 * e) / (e + 9))).not.toBe(1_402_338_432);
});

test("words of any widths are the same bits, most significant first", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.array(fc.nat(32)), (data, widths) => {
      const text = Array.from(data, (byte) => byte.toString(2).padStart(8, "0")).join("");
      const source = bits.byteBits(data);
      let at = 0;
      for (const width of widths) {
        if (at + width > text.length) break;
        expect(source.word(width)).toBe(Number.parseInt(text.slice(at, at + width) || "0", 2));
        at += width;
        expect(source.used).toBe(at);
      }
    }),
  );
});

test("a uniform draw stays below its bound and reads nothing for one", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 32 }),
      fc.uint8Array({ minLength: 400, maxLength: 400 }),
      (n, data) => {
        const source = bits.byteBits(data);
        try {
          expect(sampling.below(n, source)).toBeLessThan(n);
          if (n === 1) expect(source.used).toBe(0);
        } catch (error) {
          expect((error as { code?: string }).code).toBe("randomness-exhausted");
        }
      },
    ),
  );
});

const protocol = fc.constantFrom("spinner", "spinner-coin");
const epsilon = fc.integer({ min: 100, max: 160_000 }).map((units) => accounting.decimalText(BigInt(units)));

test("what is published is never above what was configured, and is the integers' own", () => {
  fc.assert(
    fc.property(protocol, epsilon, fc.integer({ min: 2, max: 256 }), (name, text, choices) => {
      const mechanism = catalogue.configure(name, text, choices);
      const published = mechanism.epsilon();
      expect(Number(published)).toBeLessThanOrEqual(Number(text));
      expect(catalogue.mechanismFrom(mechanism.manifest()).epsilon()).toBe(published);
    }),
    { numRuns: 60 },
  );
});

test("a report never leaves its range, decodes to itself, and fits its width", () => {
  const made = fc.constantFrom(
    catalogue.configure("spinner", "1", 5),
    catalogue.configure("coin", "2", 7, { tosses: 6 }),
    catalogue.configure("one-box", "1", 3, { boxes: 6 }),
    catalogue.configure("every-box", "6", 3, { boxes: 6 }),
  );
  fc.assert(
    fc.property(made, fc.nat(), (mechanism, seed) => {
      const { boxes, choices } = mechanism;
      const truth = boxes === undefined ? seed % choices : Array<number>(boxes).fill(seed % choices);
      const report = mechanism.report(truth, bits.secureBits());
      expect(mechanism.encode(report)).toHaveLength(mechanism.width);
      expect(mechanism.decode(mechanism.encode(report))).toEqual(report);
    }),
  );
});

test("a channel of one row for each truth tells everything and has no ε", () => {
  const identity = channel.channelOf(
    [
      [1n, 0n],
      [0n, 1n],
    ],
    1n,
  );
  expect(channel.ratio(identity)).toBeNull();
  expect(() => accounting.publishedEpsilon(null)).toThrow("epsilon-infinite");
});

test("the pinned facts of yes and no hold", () => {
  expect(catalogue.mechanismFrom({ name: "coin", choices: 2, tosses: 1, num: 1 }).epsilon()).toBe("1.0987");
  const classic = catalogue.mechanismFrom({ name: "coin", choices: 2, tosses: 1, num: 1 }).channel();
  expect(channel.probability(classic, 0, 0)).toEqual({ num: 3n, den: 4n });
  expect(channel.probability(classic, 0, 1)).toEqual({ num: 1n, den: 4n });
  expect(budget.spinnerNum(budget.parseEpsilon("ln(3)"), 2)).toBe(3 * 2 ** 30);
});
