/** Odds, figures, sending and words: what the page says is what its integers mean. */

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import en from "../../i18n/en.json";
import ko from "../../i18n/ko.json";
import { probability } from "../../privacy/channel.ts";
import { coin } from "../../privacy/mechanisms/coin.ts";
import { spinner } from "../../privacy/mechanisms/spinner.ts";
import { spinnerCoin } from "../../privacy/mechanisms/spinner_coin.ts";
import words from "../../wire/words.json";
import { survey } from "./cast.ts";
import { facesOf, sector } from "./figures.tsx";
import { epsilonFrom, kept, keptRange, liarPoints, percentUp, posterior } from "./odds.ts";
import { meaning, pause, post } from "./send.ts";
import { firstLanguage, translator } from "./text.ts";
import { SIGNS } from "./unpack.ts";

const here = new URL(".", import.meta.url);
const catalogue = (lang: string) =>
  JSON.parse(readFileSync(new URL(`../../i18n/${lang}.json`, here), "utf8")) as Record<string, string>;
const sources = readdirSync(here)
  .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
  .map((name) => readFileSync(new URL(name, here), "utf8"));
const placesOf = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

test("the chance told for one's own answer is that of the channel", () => {
  for (const mechanism of [
    spinner(2, 3221225472),
    spinner(5, 2000000000),
    spinnerCoin(4, 1234567890),
    coin(3, 3, 5),
  ]) {
    const { num, den } = probability(mechanism.channel(), 1, 1);
    expect(kept(mechanism)).toBeCloseTo(Number(num) / Number(den), 12);
  }
});

test("of 100 people, the range told covers every question", () => {
  expect(keptRange(survey)).toEqual([60, 75]);
});

test("a bound is never shown smaller than it is", () => {
  expect(percentUp(0.73105)).toBe("73.2%");
  expect(percentUp(0.75)).toBe("75%");
  expect(percentUp(0.9995)).toBe(">99.9%");
  expect(posterior(Math.log(3))).toBeCloseTo(0.75, 12);
});

test("a question's bound counts every question that depends on it", () => {
  expect(epsilonFrom(survey, 0)).toBeCloseTo(2.1974, 10);
  expect(epsilonFrom(survey, 3)).toBeCloseTo(1.0987, 10);
});

test("one liar moves a share by 1/(nδ), and more where one box of several is drawn", () => {
  // δ = .6 − .2 among three answers, and a third of the reports for each box.
  expect(liarPoints(survey, 1000)).toBeCloseTo(100 / (1000 * (0.4 / 3)), 6);
});

test("the bright part is exactly num of 2^32 of the turn", () => {
  for (const num of [1, 1000000000, 2147483648, 3221225472, 4294967295]) {
    const [, large, x, y] = (
      /A45 45 0 ([01]) 1 ([-.\de]+) ([-.\de]+)Z/.exec(sector(num / 2 ** 32)) ?? []
    ).map(Number);
    const angle = (Math.atan2((x as number) - 50, 50 - (y as number)) + 2 * Math.PI) % (2 * Math.PI);
    expect(angle / (2 * Math.PI)).toBeCloseTo(num / 2 ** 32, 12);
    expect(large).toBe(num > 2 ** 31 ? 1 : 0);
  }
});

test("coins fall as the word says, and one head of one coin means the own answer", () => {
  expect(facesOf(0, 1)).toEqual([true]);
  expect(facesOf(5, 3)).toEqual([false, true, false]);
});

test.each([
  [201, {}, "receipt"],
  [200, {}, "receipt"],
  [422, {}, "$refused"],
  [400, {}, "$refused"],
  [413, {}, "$refused"],
  [404, {}, "$missing"],
  [409, { type: "/problems/key-reused" }, "$reused"],
  [409, { type: "/problems/survey-closed" }, "$closed"],
  [429, {}, "busy"],
  [503, {}, "busy"],
  [500, {}, "$server"],
  [502, {}, "$server"],
] as const)("status %i %j means %s", (status, answer, is) => {
  expect(meaning(status, answer, "7")).toMatchObject({ is });
});

test("a busy server is asked again when it said, later each time, and after a minute at most", () => {
  expect(meaning(503, {}, "7")).toEqual({ is: "busy", seconds: 7 });
  expect(meaning(503, {}, "Wed, 21 Oct 2026 07:28:00 GMT")).toEqual({ is: "busy", seconds: 0 });
  expect([1, 2, 3, 9].map((attempt) => pause(attempt, 0))).toEqual([2, 4, 8, 60]);
  expect(pause(1, 20)).toBe(20);
  expect(pause(1, 1e9)).toBe(60);
});

test("a report is sent without cookies, referrer or cache, exactly as it was stored", async () => {
  let sent: RequestInit | undefined;
  const fetching = ((_: string, init: RequestInit) => {
    sent = init;
    return Promise.resolve(Response.json({ receipt: "ab" }, { status: 201 }));
  }) as typeof fetch;
  expect(await post("/", "{}", fetching)).toEqual({ is: "receipt", receipt: "ab" });
  expect(sent).toMatchObject({
    body: "{}",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
  });
});

test("a network that fails is an outcome, not an exception", async () => {
  expect(await post("/", "{}", () => Promise.reject(new TypeError()))).toEqual({ is: "$network" });
});

test("the address decides the language, then the browser's order", () => {
  expect(firstLanguage("?lang=ko", ["en"])).toBe("ko");
  expect(firstLanguage("", ["fr-FR", "ko-KR", "en"])).toBe("ko");
  expect(firstLanguage("?lang=xx", ["de"])).toBe("en");
});

test("places in a sentence are filled", () => {
  expect(translator(en)("$step", { n: 2, total: 7 })).toBe("Question 2 of 7");
  expect(translator(ko)("$step", { n: 2, total: 7 })).toBe("7문항 중 2번째");
});

test("long numbers are written with commas, whatever the browser's own way", () => {
  const facts = { n: 100000, points: 0.02 };
  expect(translator(en)("$open", facts)).toContain(
    "Of 100,000 answers, one false report moves a share by up to 0.02",
  );
  expect(translator(ko)("$open", facts)).toContain(
    "응답 100,000건 중 거짓 응답 1건은 비율을 최대 0.02%포인트",
  );
});

test("a range of odds is told question by question", () => {
  const [low, high] = keptRange(survey);
  expect(translator(en)("$oddsRange", { low, high })).toMatch(
    /^Depending on the question, of 100 .*about 60 to 75 /,
  );
  expect(translator(ko)("$oddsRange", { low, high })).toMatch(/^문항에 따라 .*100명 가운데 약 60명에서 75명/);
});

/** What is wrong with a pair of catalogues, given the sources that use them. */
function faults(en: Record<string, string>, ko: Record<string, string>, used: string): string[] {
  const keys = Object.keys(en);
  return [
    ...(keys.join() === Object.keys(ko).join() ? [] : ["the keys differ"]),
    ...keys.filter((key) => placesOf(en[key] ?? "").join() !== placesOf(ko[key] ?? "").join()),
    ...keys.filter((key) => !used.includes(`"${key}"`)),
    ...keys.filter((key) => (en[key] ?? "").includes("|") || (ko[key] ?? "").includes("|") || !ko[key]),
    ...[...used.matchAll(/"(\$\w+)"/g)].map(([, key]) => key as string).filter((key) => !(key in en)),
  ];
}

test("both catalogues have the same keys and places, all used, none missing", () => {
  expect(faults(catalogue("en"), catalogue("ko"), sources.join("\n"))).toEqual([]);
});

test("control: a missing, an unused and a badly filled sentence are found", () => {
  // Spelt apart, because the build numbers every key that it sees.
  const [a, b, c] = ["a", "b", "c"].map((name) => `$${name}`) as [string, string, string];
  const used = `"${a}" "${c}"`;
  expect(faults({ [a]: "{n}", [b]: "b" }, { [a]: "{m}" }, used)).toEqual(["the keys differ", a, b, b, c]);
});

test("what the build packs is unpacked to the sentences and words as they are written", () => {
  // Imported, they have gone through pack.ts; read, they have not.
  expect(en).toEqual(Object.values(catalogue("en")));
  expect(ko).toEqual(Object.values(catalogue("ko")));
  expect(words).toEqual(JSON.parse(readFileSync(new URL("../../wire/words.json", here), "utf8")));
});

test("each letter of Korean has a sign of its own, of one byte, that counts nothing and quotes nothing", () => {
  expect(new Set(SIGNS).size).toBe(19 + 21 + 27);
  expect(SIGNS).toMatch(/^[!-z]+$/);
  expect(SIGNS).not.toMatch(/[\d"'`\\${}|~]/);
});

test("every Korean sentence is Korean", () => {
  for (const sentence of Object.values(catalogue("ko"))) expect(sentence).toMatch(/[가-힣]/);
});
