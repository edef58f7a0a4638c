/** Of several boxes one is drawn, and the wheel answers for that box alone. */

import { below } from "../sampling.ts";
import { boxesAnswered, boxesChecked, type Mechanism, reportChecked } from "./mechanism.ts";
import { spinner } from "./spinner.ts";

/**
 * Law: box uniform over the boxes, then the spinner's law on its answer (0 yes, 1 no, 2 no answer).
 * Privacy: the spinner's ε, for all boxes together.
 * Utility: each box is estimated from about n/boxes reports.
 */
export function oneBox(boxes: number, choices: number, num: number, bits = 32): Mechanism {
  boxesChecked(boxes, choices);
  const wheel = spinner(choices, num, bits);
  const limits = [boxes, choices];
  return {
    name: "one-box",
    choices,
    boxes,
    num,
    bits,
    width: 2,
    cells: boxes * choices,
    report(truth, source) {
      const ticks = boxesAnswered(truth, boxes, choices);
      const box = below(boxes, source);
      return [box, wheel.report(ticks[box] as number, source) as number];
    },
    channel: wheel.channel,
    epsilon: wheel.epsilon,
    encode: (report) => Uint8Array.from(reportChecked(report as readonly number[], limits)),
    decode: (data) => reportChecked(data, limits),
    manifest: () => ({ name: "one-box", boxes, choices, num, bits }),
  };
}
