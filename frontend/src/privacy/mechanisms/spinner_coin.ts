/** Report the truth when the wheel stops on its bright part, else any of all answers. */

import type { Bits } from "../bits.ts";
import { type Channel, symmetric } from "../channel.ts";
import { below, bernoulli } from "../sampling.ts";
import { choicesChecked, type Mechanism, numChecked, type Truth, truthChecked } from "./mechanism.ts";
import { single } from "./single.ts";

/**
 * Law: P[r|t] = δ[r = t] + (1 − δ)/choices, δ = num/2^bits.
 * Privacy: ln(1 + choices δ/(1 − δ)), rounded up.
 * Source: Warner's randomised response with a forced answer; Kairouz, Oh and Viswanath 2014.
 */
export function spinnerCoin(choices: number, num: number, bits = 32): Mechanism {
  choicesChecked(choices);
  numChecked(num, bits);
  return single({
    name: "spinner-coin",
    choices,
    num,
    bits,
    report: (truth, source) => truthOrAny(truth, choices, num, bits, source),
    channel: () => truthOrAnyChannel(choices, num, bits),
    manifest: () => ({ name: "spinner-coin", choices, num, bits }),
  });
}

/** The draw of both coin forms. */
export function truthOrAny(truth: Truth, choices: number, num: number, bits: number, source: Bits): number {
  const t = truthChecked(truth, choices);
  // Both draws on every path: the bits used tell nothing.
  const honest = bernoulli(num, source, bits);
  const any = below(choices, source);
  return honest ? t : any;
}

/** The law of both coin forms. */
export function truthOrAnyChannel(choices: number, num: number, bits: number): Channel {
  const other = BigInt(2 ** bits - num);
  return symmetric(BigInt(num) * BigInt(choices) + other, other, choices, BigInt(choices) << BigInt(bits));
}
