/** Build each page by itself (no shared chunks) and leave one manifest: dist/manifest.json. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
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
// Compressed once, at their best: the server finds them beside the originals. The low memory level means
// short blocks, each with a table of its own: that suits code, English and Korean in one file.
for (const name of readdirSync(new URL("assets/", dist))) {
  const bytes = readFileSync(new URL(`assets/${name}`, dist));
  writeFileSync(new URL(`assets/${name}.gz`, dist), gzipSync(bytes, { level: 9, memLevel: 5 }));
  writeFileSync(new URL(`assets/${name}.br`, dist), brotliCompressSync(bytes));
}
