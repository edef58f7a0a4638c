/** Of several boxes each gets its own turn of the wheel. */

import { total } from "../accounting.ts";
import { boxesAnswered, boxesChecked, type Mechanism, reportChecked } from "./mechanism.ts";
import { spinner } from "./spinner.ts";

/**
 * Law: the spinner's law on each box's answer (0 yes, 1 no, 2 no answer), boxes drawn in order.
 * Privacy: boxes times the spinner's published ε.
 */
export function everyBox(boxes: number, choices: number, num: number, bits = 32): Mechanism {
  boxesChecked(boxes, choices);
  const wheel = spinner(choices, num, bits);
  const limits = Array<number>(boxes).fill(choices);
  return {
    name: "every-box",
    choices,
    boxes,
    num,
    bits,
    width: boxes,
    cells: boxes * choices,
    report: (truth, source) =>
      boxesAnswered(truth, boxes, choices).map((tick) => wheel.report(tick, source) as number),
    channel: wheel.channel,
    epsilon: () => total(Array<string>(boxes).fill(wheel.epsilon())),
    encode: (report) => Uint8Array.from(reportChecked(report as readonly number[], limits)),
    decode: (data) => reportChecked(data, limits),
    manifest: () => ({ name: "every-box", boxes, choices, num, bits }),
  };
}
