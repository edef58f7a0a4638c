/** One worker of the audit: draws for each (mechanism, truth) it is given, until there are no more. */

import { parentPort } from "node:worker_threads";
import * as bits from "../src/privacy/bits.ts";
import * as catalogue from "../src/privacy/mechanisms/catalogue.ts";
import { audited, countsOf } from "./draws.ts";

const mechanisms = audited({ catalogue });

interface Task {
  readonly mechanism: number;
  readonly truth: number;
  readonly n: number;
}

parentPort?.on("message", ({ mechanism, truth, n }: Task) => {
  const chosen = mechanisms[mechanism];
  if (chosen === undefined) throw new RangeError(`no mechanism ${mechanism}`);
  parentPort?.postMessage({ mechanism, truth, counts: countsOf({ bits }, chosen, truth, n) });
});

parentPort?.postMessage({ manifests: mechanisms.map((one) => one.manifest()) });
