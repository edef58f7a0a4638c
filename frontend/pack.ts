/** Leaves out of the respondent's bundle what no device needs: keys of sentences, repeated letters, facts of refusals. */

import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const read = (name: string) => JSON.parse(readFileSync(new URL(`src/${name}.json`, import.meta.url), "utf8"));

/** Sentences in order, without their keys: every literal "$key" of the pages becomes its sentence's place. */
export function catalogues(): Plugin {
  const keys = Object.keys(read("i18n/en"));
  const place = (key: string) => {
    const at = keys.indexOf(key);
    if (at < 0) throw new Error(`no sentence ${key}`);
    return at;
  };
  return {
    name: "catalogues",
    enforce: "pre",
    load(id) {
      const name = /\/(i18n\/en|i18n\/ko|wire\/words)\.json$/.exec(id)?.[1];
      if (name === undefined) return null;
      return { code: name === "wire/words" ? wordLists() : sentences(name, keys), moduleType: "js" };
    },
    transform(code, id) {
      if (!/\/pages\/respondent\/[^/]+\.tsx?$/.test(id)) return null;
      const numbered = code
        .replace(/="(\$\w+)"/g, (_, key: string) => `={${place(key)}}`)
        .replace(/"(\$\w+)"/g, (_, key: string) => String(place(key)));
      return { code: numbered, map: null };
    },
  };
}

/** A refusal's facts are for tests and logs; a page says only what its code means. */
export function withoutFacts(): Plugin {
  return {
    name: "without-facts",
    enforce: "pre",
    transform(code, id) {
      if (!/\/src\/(privacy|wire)\//.test(id)) return null;
      return { code: code.replace(/\brefuse\(("[^"]+"), \{[^{}]*\}\)/g, "refuse($1)"), map: null };
    },
  };
}

function sentences(name: string, keys: readonly string[]): string {
  const all = read(name) as Record<string, string>;
  return `export default ${JSON.stringify(keys.map((key) => all[key]).join("|"))}.split("|")`;
}

/** The fingerprint's words, each run with one first letter told once. */
function wordLists(): string {
  const lists = Object.entries(read("wire/words") as Record<string, readonly string[]>);
  const packed = lists.map(([lang, words]) => `${lang}:unpacked(${JSON.stringify(runs(words))})`);
  return `const unpacked = (text) => text.split("|").flatMap((run) =>
    run.slice(1).split(" ").map((rest) => run[0] + rest));
  export default {${packed}}`;
}

function runs(words: readonly string[]): string {
  let first = "";
  return words.reduce((text, word) => {
    const start = word[0] === first ? " " : `${text && "|"}${word[0]}`;
    first = word[0] as string;
    return text + start + word.slice(1);
  }, "");
}
