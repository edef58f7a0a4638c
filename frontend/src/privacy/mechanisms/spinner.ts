/** Report the truth when the wheel stops on its bright part, else one of the other answers. */

import { symmetric } from "../channel.ts";
import { refuse } from "../errors.ts";
import { below, bernoulli } from "../sampling.ts";
import { choicesChecked, type Mechanism, numChecked, truthChecked } from "./mechanism.ts";
import { single } from "./single.ts";

/**
 * Law: P[r|t] = p if r = t, else (1 − p)/(choices − 1), p = num/2^bits.
 * Privacy: ln(p (choices − 1)/(1 − p)), rounded up. Refuses p ≤ q.
 * Source: Warner 1965; Kairouz, Oh and Viswanath 2014.
 */
export function spinner(choices: number, num: number, bits = 32): Mechanism {
  choicesChecked(choices);
  numChecked(num, bits);
  const lies = 2 ** bits - num;
  if (num * choices <= 2 ** bits) refuse("truth-not-favoured", { choices, num, bits });
  return single({
    name: "spinner",
    choices,
    num,
    bits,
    report(truth, source) {
      const t = truthChecked(truth, choices);
      // Both draws on every path: the bits used tell nothing.
      const honest = bernoulli(num, source, bits);
      const other = below(choices - 1, source);
      return honest ? t : other + Number(other >= t);
    },
    channel() {
      const others = BigInt(choices - 1);
      return symmetric(BigInt(num) * others, BigInt(lies), choices, others << BigInt(bits));
    },
    manifest: () => ({ name: "spinner", choices, num, bits }),
  });
}
