/** Replays the vectors that Python wrote (tests/vectors): what each call gives, or the code of its refusal. */

import { readFileSync } from "node:fs";
import type { Fraction } from "../../src/privacy/channel.ts";
import type { Mechanism, Report, Truth } from "../../src/privacy/mechanisms/mechanism.ts";
import { hex, unhex } from "../../src/wire/bytes.ts";
import type * as product from "../product.ts";

export type Product = typeof product;
export type Vector = Readonly<Record<string, unknown>>;

/** Each file and the arrays that it must hold. */
export const FILES = {
  words: ["words", "calls"],
  draws: ["mechanisms", "draws"],
  budget: ["configured", "split"],
  accounting: ["ratios", "totals", "channels"],
  refused: ["refused"],
} as const;

export type Vectors = Readonly<Record<keyof typeof FILES, Readonly<Record<string, readonly Vector[]>>>>;

/** All vectors; throws when a file or an array is missing. */
export function readVectors(): Vectors {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}.json`, import.meta.url), "utf8"));
  const files = Object.entries(FILES).map(([name, arrays]) => {
    const file = read(name);
    for (const array of arrays)
      if (!(file[array]?.length > 0)) throw new Error(`${name}.json has no ${array}`);
    return [name, file];
  });
  return Object.fromEntries(files);
}

/** Every vector as a question and its answer, in the order of the files. */
export function* questions(
  vectors: Vectors,
): Generator<readonly [call: string, given: Vector, expected: Vector]> {
  const list = (file: keyof typeof FILES, array: string) => vectors[file][array] as readonly Vector[];
  for (const one of list("words", "words")) yield ["word", one, one];
  for (const one of list("words", "calls")) yield [one.call as string, one, one];
  const mechanisms = list("draws", "mechanisms");
  for (const one of list("draws", "draws"))
    yield ["draw", { ...one, mechanism: mechanisms[one.mechanism as number] as Vector }, one];
  for (const one of list("budget", "configured")) yield ["configure", one, one];
  for (const one of list("budget", "split")) yield ["split", one, one];
  for (const one of list("accounting", "ratios")) yield ["ratio", one, one];
  for (const one of list("accounting", "totals")) yield ["total", one, one];
  for (const one of list("accounting", "channels")) yield ["channel", one, one];
  for (const one of list("refused", "refused")) yield [one.call as string, one, one];
}

/** The first vector that this product answers otherwise, or null. */
export function firstDeviation(product: Product, vectors: Vectors): string | null {
  const replay = replayer(product);
  for (const [call, given, expected] of questions(vectors)) {
    const deviation = differs(replay(call, given), expected);
    if (deviation !== null) return `${call} ${JSON.stringify(given).slice(0, 200)}: ${deviation}`;
  }
  return null;
}

/** What of the answer is not as expected; an answer `{error}` stands for a refusal with that code. */
export function differs(answer: Vector, expected: Vector): string | null {
  if ((expected.error ?? null) !== (answer.error ?? null)) return `refused with ${answer.error}`;
  for (const [name, value] of Object.entries(answer)) {
    if (JSON.stringify(value) !== JSON.stringify(expected[name]))
      return `${name} is ${JSON.stringify(value)}`;
  }
  return null;
}

/** One function for every call of the vectors' README. */
export function replayer(product: Product): (call: string, given: Vector) => Vector {
  const calls = callsOf(product);
  return (call, given) => {
    try {
      return (calls[call] as (given: never) => Vector)(given as never);
    } catch (error) {
      const { code } = error as { code?: unknown };
      // Anything that is not a refusal of ours is shown as itself, and so equals no code.
      return { error: typeof code === "string" ? code : String(error) };
    }
  };
}

interface Given {
  readonly [name: string]: never;
}

function callsOf(product: Product): Readonly<Record<string, (given: Given) => Vector>> {
  const { accounting, bits, budget, catalogue, channel, sampling } = product;
  const source = (given: Given) => bits.byteBits(unhex(given.seed ?? ""));
  const num = (of: typeof budget.spinnerNum) => (given: Given) => ({
    num: of(budget.parseEpsilon(given.epsilon as never), given.choices as never, given.width as never),
  });
  return {
    epsilon: (given) => ({ epsilon: budget.parseEpsilon(given.epsilon as never).text }),
    configure: (given) => configured(product, given),
    "spinner-num": num(budget.spinnerNum),
    "coin-num": num(budget.coinNum),
    split: (given) => ({
      part: budget.split(budget.parseEpsilon(given.epsilon as never), given.parts as never).text,
    }),
    mechanism: (given) => ({ mechanism: catalogue.mechanismFrom(given.mechanism).manifest() }),
    draw: (given) => drawn(catalogue.mechanismFrom(given.mechanism), given.truth as never, source(given)),
    decode: (given) => ({
      report: catalogue.mechanismFrom(given.mechanism).decode(unhex(given.data as never)),
    }),
    word(given) {
      const from = source(given);
      return {
        words: (given.widths as unknown as number[]).map((width) => from.word(width)),
        used: from.used,
      };
    },
    bernoulli(given) {
      const from = source(given);
      return { result: sampling.bernoulli(given.num as never, from, given.width as never), used: from.used };
    },
    below(given) {
      const from = source(given);
      return { result: sampling.below(given.n as never, from), used: from.used };
    },
    categorical(given) {
      const from = source(given);
      return {
        result: sampling.categorical(given.weights as never, from, given.width as never),
        used: from.used,
      };
    },
    ratio: (given) => ({
      published: accounting.publishedEpsilon({
        num: BigInt(given.numerator as never),
        den: BigInt(given.denominator as never),
      }),
    }),
    total: (given) => ({ total: accounting.total(given.published as never) }),
    channel(given) {
      const rows = given.matrix as unknown as string[][];
      const worst = channel.ratio(channel.channelOfFractions(rows.map((row) => row.map(fraction))));
      const ratio = worst === null ? null : `${worst.num}/${worst.den}`;
      return { ratio, published: worst === null ? null : accounting.publishedEpsilon(worst) };
    },
  };
}

function configured({ catalogue }: Product, given: Given): Vector {
  const { protocol, epsilon, choices, ...rest } = given as Vector;
  const wishes = Object.fromEntries(
    ["boxes", "tosses"].filter((one) => one in rest).map((one) => [one, rest[one]]),
  );
  const mechanism = catalogue.configure(protocol as string, epsilon as string, choices as number, wishes);
  return { mechanism: mechanism.manifest(), published: mechanism.epsilon() };
}

function drawn(mechanism: Mechanism, truth: Truth, source: ReturnType<Product["bits"]["byteBits"]>): Vector {
  const report: Report = mechanism.report(truth, source);
  const bytes = mechanism.encode(report);
  if (JSON.stringify(mechanism.decode(bytes)) !== JSON.stringify(report))
    throw new Error("decodes to another");
  return { report, packed: hex(bytes), used: source.used };
}

function fraction(text: string): Fraction {
  const [num, den = "1"] = text.split("/");
  return { num: BigInt(num as string), den: BigInt(den) };
}
