/** Toss a coin several times: some of the outcomes mean the truth, the others any of all answers. */

import { TOSSES, whole } from "../limits.ts";
import { choicesChecked, type Mechanism, numChecked } from "./mechanism.ts";
import { single } from "./single.ts";
import { truthOrAny, truthOrAnyChannel } from "./spinner_coin.ts";

/**
 * Law: P[r|t] = δ[r = t] + (1 − δ)/choices, δ = num/2^tosses.
 * Privacy: ln(1 + choices δ/(1 − δ)), rounded up; one toss, num 1: ln(1 + choices).
 * Source: the classic two-coin protocol.
 */
export function coin(choices: number, tosses: number, num: number): Mechanism {
  choicesChecked(choices);
  whole(tosses, TOSSES, "tosses-out-of-range");
  numChecked(num, tosses);
  return single({
    name: "coin",
    choices,
    num,
    bits: tosses,
    report: (truth, source) => truthOrAny(truth, choices, num, tosses, source),
    channel: () => truthOrAnyChannel(choices, num, tosses),
    manifest: () => ({ name: "coin", choices, tosses, num }),
  });
}
