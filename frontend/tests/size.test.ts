/** What a respondent's device has to load, and that nothing of it is shared with the staff pages. */

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** All of privacy and wire that the respondent page uses, as an entry of its own. */
const CORE = `
export { secureBits } from "/src/privacy/bits.ts";
export { truthsOf, asked } from "/src/wire/answers.ts";
export { fingerprintWords } from "/src/wire/fingerprint.ts";
export { manifestOpen } from "/src/wire/manifest.ts";
export { bodyOf, drawReport, readPacked } from "/src/wire/report.ts";
export { newKey, receiptOf } from "/src/wire/seal.ts";
export { default as words } from "/src/wire/words.json";
`;

const core = {
  name: "core",
  resolveId: (id: string) => (id === "core.ts" ? `${root}core.ts` : null),
  load: (id: string) => (id === `${root}core.ts` ? CORE.replaceAll('"/src/', `"${root}src/`) : null),
};

// Under "test" the bundler would keep what helps to find mistakes.
process.env.NODE_ENV = "production";

async function page(mode: string): Promise<Rolldown.RolldownOutput> {
  return (await build({ root, mode, logLevel: "error", build: { write: false } })) as Rolldown.RolldownOutput;
}

const gzipped = (source: string | Uint8Array) => gzipSync(source, { level: 9 }).length;

test("privacy and wire add at most 9 KB, and only what a device needs", async () => {
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [core],
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: "core.ts", preserveEntrySignatures: "strict" },
    },
  })) as Rolldown.RolldownOutput;
  const [{ code }] = output;
  console.log(`privacy + wire: ${gzipped(code)} bytes gzipped`);
  expect(gzipped(code)).toBeLessThanOrEqual(9 * 1024);
  // What turns an admin's ε into integers stays on the designer's side.
  expect(code).not.toContain("tosses-too-few");
  expect(code).toContain("truth-not-favoured");
});

test("a respondent loads one script and one style sheet of at most 25,000 bytes, with nothing inline or preloaded", async () => {
  const { output } = await page("respondent");
  const files = output.filter(({ fileName }) => !fileName.endsWith(".json"));
  expect(files.filter(({ fileName }) => fileName.endsWith(".js"))).toHaveLength(1);
  expect(files.filter(({ fileName }) => fileName.endsWith(".css")).length).toBeLessThanOrEqual(1);
  const sizes = files.map((file) => gzipped(file.type === "chunk" ? file.code : file.source));
  console.log(`respondent page: ${sizes.join(" + ")} bytes gzipped`);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(25_000);
  const text = files.map((file) => (file.type === "chunk" ? file.code : String(file.source))).join("\n");
  expect(text).not.toMatch(/modulepreload|\beval\(|new Function|data:(?!,)[a-z]|Math\.random/);
  for (const { fileName } of files) expect(fileName).toMatch(/^assets\/[a-z.-]+-[-\w]{8}\.(js|css)$/);
});

test("the staff pages share no file with the respondent's", async () => {
  const names = async (mode: string) => (await page(mode)).output.map(({ fileName }) => fileName);
  const staff = await names("staff");
  expect((await names("respondent")).filter((name) => staff.includes(name))).toEqual([]);
});
