/** What the three mechanisms of one answer share: one byte, one cell per answer, ε from the channel. */

import { publishedEpsilon } from "../accounting.ts";
import { ratio } from "../channel.ts";
import { type Mechanism, reportChecked } from "./mechanism.ts";

type Own = Omit<Mechanism, "width" | "cells" | "epsilon" | "encode" | "decode">;

export function single(own: Own): Mechanism {
  const limits = [own.choices];
  return {
    ...own,
    width: 1,
    cells: own.choices,
    epsilon: () => publishedEpsilon(ratio(own.channel())),
    encode: (report) => Uint8Array.from(reportChecked([report as number], limits)),
    decode: (data) => reportChecked(data, limits)[0] as number,
  };
}
