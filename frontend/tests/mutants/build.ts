/** Builds the product with a mutant's patch, and imports it. */

import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import type { Product } from "../checks/vectors.ts";
import type { Mutant } from "./list.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The product as this mutant makes it; null: as it is. Throws when a patch does not fit its file. */
export async function built(mutant: Mutant | null): Promise<Product> {
  const output = await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: mutant === null ? [] : [patching(mutant)],
    build: { ssr: "tests/product.ts", write: false, minify: false },
  });
  const [chunk] = "output" in output ? output.output : [];
  if (chunk?.type !== "chunk") throw new Error("nothing was built");
  const code = Buffer.from(chunk.code).toString("base64");
  return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
}

function patching({ file, edits }: Mutant): Plugin {
  let met = false;
  return {
    name: "mutant",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith(`/src/privacy/${file}`)) return null;
      met = true;
      return { code: edits.reduce(patched, code), map: null };
    },
    buildEnd(error) {
      if (error === undefined && !met) throw new Error(`${file} is not part of the product`);
    },
  };
}

function patched(code: string, [from, to]: readonly [string, string]): string {
  if (code.split(from).length !== 2) throw new Error(`not exactly once in the file: ${from}`);
  return code.replace(from, () => to);
}
