/** The mechanisms by their wire names: from a manifest's integers, or from a configured ε. */

import { coinNum, type Epsilon, parseEpsilon, spinnerNum, split } from "../budget.ts";
import { refuse } from "../errors.ts";
import { coin } from "./coin.ts";
import { everyBox } from "./every_box.ts";
import { boxesChecked, type Mechanism } from "./mechanism.ts";
import { oneBox } from "./one_box.ts";
import { spinner } from "./spinner.ts";
import { spinnerCoin } from "./spinner_coin.ts";

type Maker = readonly [fields: readonly string[], make: (...integers: number[]) => Mechanism];

const NUM_BITS = 32; // of every num on the wire

/** Each mechanism's fields, in the order of its maker's arguments. */
const makers: Readonly<Record<string, Maker>> = {
  spinner: [["choices", "num", "bits"], spinner],
  "spinner-coin": [["choices", "num", "bits"], spinnerCoin],
  coin: [["choices", "tosses", "num"], coin],
  "one-box": [["boxes", "choices", "num", "bits"], oneBox],
  "every-box": [["boxes", "choices", "num", "bits"], everyBox],
};

/** The mechanism of a manifest; refuses anything else than exactly its fields. */
export function mechanismFrom(given: unknown): Mechanism {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refuse("mechanism-malformed", { field: "not an object" });
  const { name, ...values } = given as Record<string, unknown>;
  const [fields, make] = makerOf(name);
  const strange = fields.find((field) => !Number.isInteger(values[field]));
  const superfluous = Object.keys(values).find((field) => !fields.includes(field));
  const field = strange ?? superfluous ?? ((values.bits ?? NUM_BITS) === NUM_BITS ? undefined : "bits");
  if (field !== undefined) refuse("mechanism-malformed", { field });
  return make(...fields.map((one) => values[one] as number));
}

export interface Wishes {
  /** For the box mechanisms alone. */
  readonly boxes?: number;
  /** For the coin alone. */
  readonly tosses?: number;
}

/** The mechanism that a question uses: it never costs more than the ε that was typed. */
export function configure(
  protocol: string,
  epsilonText: string,
  choices: number,
  wishes: Wishes = {},
): Mechanism {
  const wanted = makerOf(protocol)[0].filter((field) => ["boxes", "tosses"].includes(field));
  const unlike = [...wanted, ...Object.keys(wishes)].find((one) => wanted.includes(one) !== one in wishes);
  if (unlike !== undefined) refuse("mechanism-malformed", { field: unlike });
  return designed(protocol, parseEpsilon(epsilonText), choices, wishes);
}

function designed(protocol: string, epsilon: Epsilon, choices: number, wishes: Wishes): Mechanism {
  const { boxes = 0, tosses = 0 } = wishes;
  if (protocol === "spinner") return spinner(choices, spinnerNum(epsilon, choices));
  if (protocol === "spinner-coin") return spinnerCoin(choices, coinNum(epsilon, choices));
  if (protocol === "coin") return coin(choices, tosses, coinNum(epsilon, choices, tosses));
  boxesChecked(boxes, choices);
  if (protocol === "one-box") return oneBox(boxes, choices, spinnerNum(epsilon, choices));
  return everyBox(boxes, choices, spinnerNum(split(epsilon, boxes), choices));
}

function makerOf(name: unknown): Maker {
  if (typeof name !== "string") return refuse("mechanism-malformed", { field: "name" });
  return Object.hasOwn(makers, name) ? (makers[name] as Maker) : refuse("mechanism-unknown", { name });
}
