/** Build each page by itself (no shared chunks) and leave one manifest: dist/manifest.json. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const dist = new URL("dist/", import.meta.url);
const merged = {};

rmSync(dist, { recursive: true, force: true });
for (const mode of ["respondent", "staff"]) {
  await build({ root, mode, logLevel: "warn" });
  const own = new URL(`${mode}.json`, dist);
  Object.assign(merged, JSON.parse(readFileSync(own, "utf8")));
  rmSync(own);
}
writeFileSync(new URL("manifest.json", dist), `${JSON.stringify(merged, null, 2)}\n`);
