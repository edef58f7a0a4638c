/** Bundles the second language's catalogue as its values alone: its keys are the first's, in the same order. */
import type { Plugin } from "vite";

export function catalogues(): Plugin {
  return {
    name: "catalogues",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("/i18n/ko.json")) return null;
      const values = Object.values(JSON.parse(code) as Record<string, string>);
      return { code: JSON.stringify(values), map: null };
    },
  };
}
