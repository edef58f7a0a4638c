/** The wire: canonical text, fingerprints, what a device refuses, and the one body that leaves it. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { byteBits, secureBits } from "../src/privacy/bits.ts";
import type { Truth } from "../src/privacy/mechanisms/mechanism.ts";
import { type Answer, asked, truthsOf } from "../src/wire/answers.ts";
import { hex, unhex, utf8 } from "../src/wire/bytes.ts";
import { canonical } from "../src/wire/canonical.ts";
import { fingerprintOf, fingerprintWords } from "../src/wire/fingerprint.ts";
import { manifestFrom, manifestOpen } from "../src/wire/manifest.ts";
import { bodyOf, drawReport, mechanismsOf, readPacked } from "../src/wire/report.ts";
import { newKey, receiptOf, sealOf, spentOf } from "../src/wire/seal.ts";
import lists from "../src/wire/words.json";
import known from "./known/wire.json";

const manifest = manifestFrom(known.survey);
const copy = () => structuredClone(known.survey) as typeof known.survey & Record<string, unknown>;
const codeOf = (act: () => unknown) => {
  try {
    act();
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};
const codeOfAsync = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => (error as { code?: string }).code ?? String(error),
  );

// note, q1 yes, q2 none, q3 (after yes), q4 boxes, q5 boxes, q6 (after no, or b or c ticked)
const ANSWERS: readonly Answer[] = [null, 0, null, 4, [0, 2], [1], 1];

test("canonical JSON is the server's, byte for byte", () => {
  for (const { value, utf8: bytes } of known.canonical) expect(hex(utf8(canonical(value)))).toBe(bytes);
});

test.each([
  1.5,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "\ud800",
  "a\udc00b",
  undefined,
  10n,
  () => 1,
  new Date(0),
  { a: undefined },
  { "\ud800": 1 },
])("%s has no canonical form", (value) => {
  expect(codeOf(() => canonical(value))).toBe("not-canonical");
});

test("the order of keys and the spelling of JSON do not change the canonical text", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: "grapheme" }), fc.oneof(fc.string({ unit: "grapheme" }), fc.integer())),
      (object) => {
        const turned = Object.fromEntries(Object.entries(object).reverse());
        expect(canonical(turned)).toBe(canonical({ ...object }));
        expect(JSON.parse(canonical({ ...object }))).toEqual({ ...object });
      },
    ),
  );
});

test("the fingerprint and its words are the server's", async () => {
  expect(await fingerprintOf(known.survey)).toBe(known.survey.fingerprint);
  expect(fingerprintWords(known.survey.fingerprint, lists.en)).toEqual(known.words.en);
  expect(fingerprintWords(known.survey.fingerprint, lists.ko)).toEqual(known.words.ko);
});

test("256 words a language are short, different and told apart by at least two letters", () => {
  for (const [language, words] of Object.entries(lists)) {
    expect(words).toHaveLength(256);
    const letters = words.map((word) => word.normalize("NFD"));
    for (const [at, word] of letters.entries()) {
      expect(words[at]?.length).toBeLessThanOrEqual(language === "ko" ? 4 : 7);
      expect(words[at]).toBe(words[at]?.normalize("NFC"));
      for (const other of letters.slice(at + 1))
        expect(distance(word, other), `${word} ${other}`).toBeGreaterThan(1);
    }
  }
});

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, x] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, y] of [...b].entries()) {
      next.push(
        Math.min((next[j] as number) + 1, (row[j + 1] as number) + 1, (row[j] as number) + Number(x !== y)),
      );
    }
    row = next;
  }
  return row[b.length] as number;
}

test("a manifest becomes typed values", async () => {
  expect(await manifestOpen(known.survey, known.survey.fingerprint)).toEqual(
    expect.objectContaining({ slug: "known-answers", version: 7, epsilonTotal: known.survey.epsilon_total }),
  );
  expect(manifest.questions.map(({ silence }) => silence)).toEqual([null, null, 3, 5, null, 2, 2]);
  expect(manifest.questions[6]?.visibleIf).toEqual({
    mode: "any",
    conditions: [
      { question: 1, is: [1] },
      { question: 5, is: [1, 2] },
    ],
  });
  expect(mechanismsOf(manifest).map(({ name }) => name)).toEqual([
    ...["coin", "spinner", "spinner-coin", "one-box", "every-box", "spinner"],
  ]);
});

test("a targeted manifest is refused: one changed text, number or state of a question", async () => {
  const paths = leaves(known.survey).filter(([first]) => first !== "state" && first !== "fingerprint");
  expect(paths.length).toBeGreaterThan(100);
  for (const path of paths) {
    const changed = withChanged(copy(), path);
    expect(await codeOfAsync(manifestOpen(changed)), path.join(".")).not.toBeNull();
  }
});

test("a manifest that is true in itself, yet not the announced one, is refused", async () => {
  const other = copy();
  other.title.en = "Another survey";
  other.fingerprint = await fingerprintOf(other);
  expect(await codeOfAsync(manifestOpen(other))).toBeNull();
  expect(await codeOfAsync(manifestOpen(other, known.survey.fingerprint))).toBe("fingerprint-not-announced");
});

type Path = readonly (string | number)[];

function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}

function withChanged(root: unknown, path: Path): unknown {
  const [parent, last] = [path.slice(0, -1), path.at(-1) as string];
  const holder = parent.reduce((value, name) => (value as Record<string, unknown>)[name], root) as Record<
    string,
    unknown
  >;
  const value = holder[last];
  holder[last] = typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : `${value}x`;
  return root;
}

type Loose = Record<string, never> & { questions: Record<string, never>[] };

test.each<readonly [string, string, (loose: Loose) => unknown]>([
  ["an unknown field", "manifest-malformed", (m) => Object.assign(m, { extra: 1 })],
  ["a missing field", "manifest-malformed", (m) => Reflect.deleteProperty(m, "target")],
  ["a fraction as version", "manifest-malformed", (m) => Object.assign(m, { version: 1.5 })],
  ["a draft", "manifest-malformed", (m) => Object.assign(m, { state: "draft" })],
  ["one language only", "manifest-malformed", (m) => Object.assign(m, { title: { en: "x" } })],
  [
    "an unknown kind",
    "manifest-malformed",
    (m) => Object.assign(m.questions[1] as object, { kind: "number" }),
  ],
  [
    "two questions of one id",
    "manifest-malformed",
    (m) => Object.assign(m.questions[2] as object, { id: "q1" }),
  ],
  [
    "a condition on a later question",
    "manifest-malformed",
    (m) => Object.assign(m.questions[3] as object, { visible_if: { all: [{ question: "q4", is: ["a"] }] } }),
  ],
  [
    "a condition on itself",
    "manifest-malformed",
    (m) => Object.assign(m.questions[3] as object, { visible_if: { all: [{ question: "q3", is: ["1"] }] } }),
  ],
  [
    "a condition on an unknown choice",
    "manifest-malformed",
    (m) =>
      Object.assign(m.questions[3] as object, { visible_if: { all: [{ question: "q1", is: ["maybe"] }] } }),
  ],
  [
    "no condition at all",
    "manifest-malformed",
    (m) => Object.assign(m.questions[3] as object, { visible_if: { all: [] } }),
  ],
  [
    "both kinds of conditions",
    "manifest-malformed",
    (m) =>
      Object.assign(m.questions[3] as object, {
        visible_if: { all: [{ question: "q1", is: ["yes"] }], any: [] },
      }),
  ],
  [
    "a condition on a note",
    "manifest-malformed",
    (m) =>
      Object.assign(m.questions[3] as object, { visible_if: { all: [{ question: "hello", is: ["a"] }] } }),
  ],
  [
    "no answer where every answer is required",
    "mechanism-misfit",
    (m) => Object.assign(m.questions[2] as object, { required: true }),
  ],
  [
    "a required answer where it is free",
    "mechanism-misfit",
    (m) => Object.assign(m.questions[1] as object, { required: false }),
  ],
  [
    "a mechanism of other boxes",
    "mechanism-misfit",
    (m) => (m.questions[4] as unknown as { choices: unknown[] }).choices.pop(),
  ],
  [
    "a wheel that is brighter than it says",
    "epsilon-untrue",
    (m) => {
      const question = m.questions[2] as unknown as { mechanism: { num: number } };
      question.mechanism.num += 2 ** 20;
    },
  ],
  [
    "a wheel that is darker than it says",
    "epsilon-untrue",
    (m) => {
      const question = m.questions[2] as unknown as { mechanism: { num: number } };
      question.mechanism.num -= 2 ** 20;
    },
  ],
  ["a total that is not the sum", "epsilon-untrue", (m) => Object.assign(m, { epsilon_total: "1.0000" })],
  [
    "an infinite ε",
    "num-out-of-range",
    (m) =>
      Object.assign(m.questions[1] as object, { mechanism: { name: "coin", choices: 2, tosses: 1, num: 2 } }),
  ],
  [
    "an ε above the cap of a question",
    "epsilon-above-cap",
    (m) =>
      Object.assign(m.questions[2] as object, {
        mechanism: { name: "spinner", choices: 4, num: 2 ** 32 - 1, bits: 32 },
        epsilon: "23.2794",
      }),
  ],
])("%s is refused", (_, code, spoil) => {
  const spoilt = copy() as unknown as Loose;
  spoil(spoilt);
  expect(codeOf(() => manifestFrom(spoilt))).toBe(code);
});

test("more than the cap in all is refused, however the questions are cut", () => {
  const big = copy();
  const [note] = big.questions;
  const one = {
    ...big.questions[2],
    required: true,
    mechanism: { name: "spinner", choices: 3, num: 2 ** 32 - 3000, bits: 32 },
  };
  const questions = Array.from({ length: 5 }, (_, at) => ({ ...one, id: `big${at}`, epsilon: "14.8675" }));
  Object.assign(big, { questions: [note, ...questions], epsilon_total: "74.3375" });
  expect(codeOf(() => manifestFrom(big))).toBe("epsilon-above-cap");
  Object.assign(big, { questions: [note, ...questions.slice(1)], epsilon_total: "59.4700" });
  expect(codeOf(() => manifestFrom(big))).toBeNull();
});

test.each([null, 1, "x", [], [[]], {}, { questions: [] }])("%j is no manifest", (value) => {
  expect(codeOf(() => manifestFrom(value))).toBe("manifest-malformed");
});

test("questions are asked only when their condition on earlier answers holds", () => {
  expect(asked(manifest, ANSWERS)).toEqual([true, true, true, true, true, true, true]);
  expect(asked(manifest, [null, 1, null, null, [], [], 0])).toEqual([
    true,
    true,
    true,
    false,
    true,
    true,
    true,
  ]);
  expect(asked(manifest, [null, 0, null, 0, [], [0], null])).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
  // An answer that was given before its question was hidden again does not count.
  const chained = copy();
  Object.assign(chained.questions[6] as object, { visible_if: { all: [{ question: "q3", is: ["1"] }] } });
  expect(asked(manifestFrom(chained), [null, 1, null, 0, [], null, 0])[6]).toBe(false);
});

test("hidden and unanswered questions become the one extra answer", () => {
  expect(truthsOf(manifest, ANSWERS)).toEqual([0, 3, 4, [0, 1, 0], [1, 0, 1], 1]);
  expect(truthsOf(manifest, [null, 1, 2, 4, [], null, 0])).toEqual([1, 2, 5, [1, 1, 1], [2, 2, 2], 0]);
});

test.each<readonly [string, string, readonly Answer[]]>([
  ["a required answer that is missing", "answer-required", [null, null, null, 4, [], [], 1]],
  [
    "a required answer of a shown branch that is missing",
    "answer-required",
    [null, 0, null, null, [], [], 1],
  ],
  ["required boxes that are missing", "answer-required", [null, 1, null, null, null, [], 1]],
  ["an answer that does not exist", "truth-out-of-range", [null, 2, null, null, [], [], 1]],
  ["a fraction of an answer", "truth-out-of-range", [null, 1, 0.5, null, [], [], 1]],
  ["a box that does not exist", "truth-out-of-range", [null, 1, null, null, [3], [], 1]],
  ["answers to another survey", "truths-incomplete", [1]],
])("%s is refused", (_, code, answers) => {
  expect(codeOf(() => truthsOf(manifest, answers))).toBe(code);
});

test("one draw from one source makes every report, in manifest order", () => {
  const seed = Uint8Array.from({ length: 200 }, (_, at) => (at * 37 + 11) & 255);
  const truths = truthsOf(manifest, ANSWERS);
  const { reports, packed, shown } = drawReport(manifest, truths, byteBits(seed));
  const again = byteBits(seed);
  const single = mechanismsOf(manifest).map((mechanism, at) => mechanism.report(truths[at] as Truth, again));
  expect(shown).toEqual(single);
  expect(reports.join("")).toBe(hex(packed));
  expect(readPacked(manifest, packed)).toEqual(shown);
});

test("a draw that runs out of bits, or has not every truth, gives nothing", () => {
  const truths = truthsOf(manifest, ANSWERS);
  expect(codeOf(() => drawReport(manifest, truths, byteBits(new Uint8Array(8))))).toBe(
    "randomness-exhausted",
  );
  expect(codeOf(() => drawReport(manifest, truths.slice(1), secureBits()))).toBe("truths-incomplete");
});

test("whatever is answered, the body has one length and holds the reports alone", () => {
  const answer = fc.option(fc.nat(2), { nil: null });
  const boxes = fc.option(fc.subarray([0, 1, 2]), { nil: null });
  const lengths = new Set<number>();
  fc.assert(
    fc.property(
      fc.nat(1),
      answer,
      fc.nat(4),
      fc.subarray([0, 1, 2]),
      boxes,
      fc.nat(1),
      (q1, q2, q3, q4, q5, q6) => {
        const drawn = drawReport(manifest, truthsOf(manifest, [null, q1, q2, q3, q4, q5, q6]), secureBits());
        const body = bodyOf(manifest.version, drawn.reports, newKey());
        expect(body).toMatch(/^\{"version":7,"reports":\["0[01]",[^ ]*\],"key":"[-\w]{43}"\}$/);
        lengths.add(utf8(body).length);
      },
    ),
  );
  expect(lengths.size).toBe(1);
});

test("bytes that are no report of the survey are not read as one", () => {
  expect(codeOf(() => readPacked(manifest, new Uint8Array(8)))).toBe("report-wrong-length");
  expect(codeOf(() => readPacked(manifest, new Uint8Array(9).fill(255)))).toBe("report-out-of-range");
});

test("spent, seal, receipt and the key's text are the server's", async () => {
  for (const { slug, version, key, packed, key_text, spent, seal, receipt } of known.seals) {
    expect(hex(await spentOf(slug, unhex(key)))).toBe(spent);
    expect(hex(await sealOf(slug, version, unhex(key), unhex(packed)))).toBe(seal);
    expect(await receiptOf(slug, version, unhex(key), unhex(packed))).toBe(receipt);
    expect(bodyOf(version, [], unhex(key))).toBe(`{"version":${version},"reports":[],"key":"${key_text}"}`);
  }
});

test("keys are fresh, and bodies with a wrong key or spelling are not made", () => {
  expect(new Set(Array.from({ length: 50 }, () => hex(newKey()))).size).toBe(50);
  expect(codeOf(() => bodyOf(1, ["00"], new Uint8Array(31)))).toBe("key-wrong-length");
  expect(codeOf(() => bodyOf(1, ["0A"], newKey()))).toBe("hex-malformed");
});
