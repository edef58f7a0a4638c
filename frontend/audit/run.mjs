/** npm run audit -- --size N [--out FILE] [--workers W]: count N draws a truth with the product's own code. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    size: { type: "string", default: "10000000" },
    out: { type: "string", default: resolve(root, "../var/audit-typescript.json") },
    workers: { type: "string", default: "2" },
  },
});
const n = Number(values.size);
const workers = Number(values.workers);
if (!Number.isSafeInteger(n) || n < 1 || !Number.isSafeInteger(workers) || workers < 1) {
  console.error("error: --size and --workers: expected whole numbers from 1");
  process.exit(2);
}

const started = performance.now();
const outDir = resolve(root, `node_modules/.audit-${process.pid}`);
await build({
  root,
  configFile: false,
  logLevel: "warn",
  build: { ssr: "audit/worker.ts", outDir, rolldownOptions: { output: { entryFileNames: "worker.mjs" } } },
});
try {
  const cases = await counted(resolve(outDir, "worker.mjs"));
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, `${JSON.stringify({ language: "typescript", cases })}\n`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${cases.length} mechanisms, ${n} draws a truth, ${seconds} s: ${values.out}`);
} finally {
  rmSync(outDir, { recursive: true, force: true });
}

/** Give each worker one (mechanism, truth) at a time; the cases when all are counted. */
function counted(file) {
  let tasks = null;
  let cases = [];
  const work = () =>
    new Promise((done, fail) => {
      const worker = new Worker(file);
      worker.on("error", fail);
      worker.on("exit", done);
      worker.on("message", ({ manifests, mechanism, truth, counts }) => {
        if (manifests) {
          cases = tasks === null ? manifests.map((one) => ({ mechanism: one, n, counts: [] })) : cases;
          tasks ??= manifests.flatMap((one, at) =>
            Array.from({ length: one.choices }, (_, t) => ({ mechanism: at, truth: t, n })),
          );
        } else cases[mechanism].counts[truth] = counts;
        const next = tasks.shift();
        if (next === undefined) worker.terminate();
        else worker.postMessage(next);
      });
    });
  return Promise.all(Array.from({ length: workers }, work)).then(() => cases);
}
