/** Mutants: plausible mistakes, each a patch of one of the product's own files. */

export interface Mutant {
  readonly name: string;
  /** Below src/privacy/. */
  readonly file: string;
  /** Texts that stand in the file exactly once, and what they become. */
  readonly edits: readonly (readonly [from: string, to: string])[];
}

const mutant = (file: string, name: string, ...edits: (readonly [string, string])[]): Mutant => ({
  name,
  file,
  edits,
});

const bits: readonly Mutant[] = [
  mutant("bits.ts", "bits are read least significant first", [
    "((held >> left) &",
    "((held >> (8 - left - take)) &",
  ]),
  // Each byte twice, not for ever: a draw that throws words away must still come to an end.
  mutant(
    "bits.ts",
    "every byte is read twice",
    ["let left = 0;", "let left = 0, turn = 0;"],
    ["held = nextByte();", "held = turn++ % 2 === 0 ? nextByte() : held;"],
  ),
  mutant("bits.ts", "the rest of a byte is thrown away", [
    "let wanted = width;",
    "let wanted = (left = 0) + width;",
  ]),
  mutant("bits.ts", "a word of 32 bits is signed", [
    "value = value * (1 << take) +",
    "value = (value << take) +",
  ]),
  mutant("bits.ts", "an exhausted source goes on with zeros", [
    '?? refuse("randomness-exhausted", { bytes: data.length })',
    "?? 0",
  ]),
  mutant("bits.ts", "without a secure source Math.random is used", [
    'refuse("randomness-unavailable")',
    "return bitsOf(() => Math.floor(Math.random() * 256))",
  ]),
  mutant(
    "bits.ts",
    "a chunk of random bytes is replayed",
    ["at === chunkBytes", "at === chunkBytes && used++ > 0"],
    ["let at = chunkBytes;", "let at = chunkBytes; let used = 1;"],
    ["source.getRandomValues(chunk);", "if (used === 2) source.getRandomValues(chunk);"],
    ["chunk[at++] = 0;", "at++;"],
  ),
  mutant("bits.ts", "the first byte of a chunk is not random", [
    "source.getRandomValues(chunk)",
    "source.getRandomValues(chunk.subarray(1))",
  ]),
  mutant("bits.ts", "the last byte of a chunk is skipped", ["at === chunkBytes)", "at >= chunkBytes - 1)"]),
];

const sampling: readonly Mutant[] = [
  mutant("sampling.ts", "bernoulli: ≤ for <", ["bits.word(width) < num", "bits.word(width) <= num"]),
  mutant("sampling.ts", "the truth is kept 1 % more often", [
    "bits.word(width) < num",
    "bits.word(width) < num * 1.01",
  ]),
  mutant("sampling.ts", "the truth is kept 1 % less often", [
    "bits.word(width) < num",
    "bits.word(width) < num * 0.99",
  ]),
  mutant("sampling.ts", "the wheel is turned with 16 bits only", [
    "return bits.word(width) < num",
    "return bits.word(Math.min(width, 16)) * 2 ** Math.max(0, width - 16) < num",
  ]),
  mutant("sampling.ts", "below: modulo instead of rejection", [
    "while (value >= n) value = bits.word(width);",
    "value %= n;",
  ]),
  mutant("sampling.ts", "below: too large values are clamped", [
    "while (value >= n) value = bits.word(width);",
    "value = Math.min(value, n - 1);",
  ]),
  mutant("sampling.ts", "below: off by one", ["while (value >= n)", "while (value > n)"]),
  mutant("sampling.ts", "below: the last value never comes", [
    "while (value >= n)",
    "while (value >= n && n > 1 || n > 2 && value === n - 1)",
  ]),
  mutant("sampling.ts", "below: one bit too many", ["bitLength(n - 1)", "bitLength(n)"]),
  mutant("sampling.ts", "below: a rejected word is shifted on", [
    "value >= n) value = bits.word(width);",
    "value >= n) value = (value * 2 + bits.word(1)) % 2 ** width;",
  ]),
  mutant("sampling.ts", "categorical: ≥ for >", ["cumulative > word", "cumulative >= word"]),
];

const spinner: readonly Mutant[] = [
  mutant("mechanisms/spinner.ts", "the keep-probability depends on the answer by 2^-32", [
    "bernoulli(num, source, bits)",
    "bernoulli(t === 0 && num > 1 ? num - 1 : num, source, bits)",
  ]),
  mutant("mechanisms/spinner.ts", "the last answer is never randomised", [
    "return honest ?",
    "return honest || t === choices - 1 ?",
  ]),
  mutant("mechanisms/spinner.ts", "the second draw is skipped when the truth is told", [
    "= below(choices - 1, source)",
    "= honest ? 0 : below(choices - 1, source)",
  ]),
  mutant("mechanisms/spinner.ts", "the lie is drawn before the wheel is turned", [
    "const honest = bernoulli(num, source, bits);\n      const other = below(choices - 1, source);",
    "const other = below(choices - 1, source);\n      const honest = bernoulli(num, source, bits);",
  ]),
  mutant("mechanisms/spinner.ts", "other answers: > for ≥", ["Number(other >= t)", "Number(other > t)"]),
  mutant("mechanisms/spinner.ts", "the lie may skip the last answer", [
    "other + Number(other >= t)",
    "other",
  ]),
  mutant("mechanisms/spinner.ts", "the lie is always the next answer", [
    "other + Number(other >= t)",
    "(t + 1) % choices",
  ]),
  mutant("mechanisms/spinner.ts", "a wheel that favours lies is accepted", [
    "if (num * choices <= 2 ** bits)",
    "if (num < 0)",
  ]),
];

const coins: readonly Mutant[] = [
  mutant("mechanisms/spinner_coin.ts", "the last answer is never a random one", [
    "const any = below(choices, source)",
    "const any = below(choices - 1, source)",
  ]),
  mutant("mechanisms/spinner_coin.ts", "the second draw is skipped when the truth is told", [
    "const any = below(choices, source)",
    "const any = honest ? 0 : below(choices, source)",
  ]),
  mutant("mechanisms/spinner_coin.ts", "a random first answer becomes the truth", [
    "return honest ? t : any",
    "return honest || any === 0 ? t : any",
  ]),
  mutant("mechanisms/spinner_coin.ts", "heads and tails are swapped", [
    "honest ? t : any",
    "honest ? any : t",
  ]),
  mutant("mechanisms/coin.ts", "one toss too many", [
    "truthOrAny(truth, choices, num, tosses, source)",
    "truthOrAny(truth, choices, num, tosses + 1, source)",
  ]),
  mutant("mechanisms/coin.ts", "tossed again when the report is not the truth", [
    "truthOrAny(truth, choices, num, tosses, source)",
    "[0, 1].map(() => truthOrAny(truth, choices, num, tosses, source)).sort((a) => (a === truth ? -1 : 1))[0] as number",
  ]),
];

const boxes: readonly Mutant[] = [
  mutant("mechanisms/one_box.ts", "a ticked box is preferred", [
    "const box = below(boxes, source)",
    "const box = Math.max(below(boxes, source), ticks.indexOf(0))",
  ]),
  mutant("mechanisms/one_box.ts", "the last box is never drawn", [
    "below(boxes, source)",
    "below(Math.max(1, boxes - 1), source)",
  ]),
  mutant("mechanisms/one_box.ts", "the answer is that of the first box", ["ticks[box]", "ticks[0]"]),
  mutant("mechanisms/every_box.ts", "unticked boxes are not randomised", [
    "wheel.report(tick, source)",
    "(tick === 1 ? 1 : wheel.report(tick, source))",
  ]),
  mutant("mechanisms/every_box.ts", "the last box is sent as it is", [
    "(tick) => wheel.report(tick, source)",
    "(tick, at) => at === boxes - 1 ? tick : wheel.report(tick, source)",
  ]),
  mutant("mechanisms/every_box.ts", "ε of one box is published for all", [
    "total(Array<string>(boxes).fill(wheel.epsilon()))",
    "total([wheel.epsilon()])",
  ]),
];

const numbers: readonly Mutant[] = [
  mutant("budget.ts", "integers are rounded toward the truth", ["return floor;", "return floor + 1n;"]),
  mutant("budget.ts", "e^ε is a float", [
    "const floor = f(lower, scale);",
    "return f(BigInt(Math.round(Number(lower) / Number(scale) * 2 ** 40)), 2n ** 40n);\n    const floor = 0n;",
  ]),
  mutant("budget.ts", "an ε above 16 is accepted", ["value > MOST", "value > MOST * 2n"]),
  mutant("budget.ts", "a part of ε is rounded up", [
    "epsilon.tenThousandths / BigInt(parts)",
    "epsilon.tenThousandths / BigInt(parts) + 1n",
  ]),
  mutant("accounting.ts", "published ε is rounded down", [
    "return decimalText(ceiling);",
    "return decimalText(ceiling - 1n);",
  ]),
  mutant("accounting.ts", "published ε is rounded by a float", [
    "while (!expReaches(ceiling, num, den)) ceiling += 1n;",
    "return decimalText(BigInt(Math.ceil(Math.log(Number(num) / Number(den)) * 10000)));",
  ]),
  mutant("channel.ts", "an infinite ε is passed over", [
    "if (least === 0n) return null;",
    "if (least === 0n) continue;",
  ]),
  mutant("channel.ts", "ε is read off the first row", ["of channel.parts)", "of channel.parts.slice(0, 1))"]),
  mutant("mechanisms/mechanism.ts", "an answer that does not exist is decoded", [
    "[0, limit - 1]",
    "[0, limit]",
  ]),
  mutant("mechanisms/mechanism.ts", "a truth that does not exist is drawn for", [
    "[0, choices - 1]",
    "[-1, choices]",
  ]),
];

export const mutants: readonly Mutant[] = [...bits, ...sampling, ...spinner, ...coins, ...boxes, ...numbers];
