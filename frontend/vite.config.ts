/** How a page's entry becomes files: the mode picks one, so that no two pages ever share a chunk. */
import { defineConfig } from "vitest/config";
import { catalogues, withoutUnused } from "./pack.ts";

const entries: Readonly<Record<string, string>> = {
  respondent: "src/pages/respondent/main.tsx",
  staff: "src/pages/staff/main.ts",
};

export default defineConfig(({ mode }) => {
  const entry = entries[mode];
  return {
    base: "",
    plugins: [catalogues(), mode === "respondent" && withoutUnused()],
    // The classic form is the smaller one once compressed.
    oxc: {
      jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" },
      jsxInject: 'import { Fragment, h } from "preact";',
    },
    build: {
      target: "es2022",
      outDir: "dist",
      emptyOutDir: false,
      copyPublicDir: false,
      manifest: `${mode}.json`,
      // Nothing inline: the respondent page's policy allows no inline code and no data: sources.
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        ...(entry === undefined ? {} : { input: { [mode]: entry } }),
        output: {
          codeSplitting: false,
          entryFileNames: "assets/[name]-[hash].js",
          assetFileNames: "assets/[name]-[hash][extname]",
        },
      },
    },
    test: {
      include: ["src/**/*.test.{ts,tsx}", "tests/**/*.test.{ts,tsx}"],
      environment: "node",
      testTimeout: 60_000,
    },
  };
});
