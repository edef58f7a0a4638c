/** What the page says, and which language to begin with. */

import type en from "../../i18n/en.json";

export type Lang = "en" | "ko";
export type Key = keyof typeof en;
/** A text of the survey, written by its admin. */
export type Bilingual = Readonly<Record<Lang, string>>;
export type Facts = Readonly<Record<string, string | number>>;
export type Translate = (key: Key, facts?: Facts) => string;

/** A language's sentences by key; of the keys the build leaves only their places in a list: see pack.ts. */
export type Sentences = Readonly<Record<Key, string>>;
/** What the page can say: its sentences, and the 256 words of fingerprints. */
export type Lists = Readonly<
  Record<Lang, { readonly sentences: Sentences; readonly words: readonly string[] }>
>;

/** The sentence of this key with its {places} filled; both languages write 1,000. */
export function translator(sentences: Sentences): Translate {
  return (key, facts = {}) =>
    sentences[key].replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name]?.toLocaleString("en")));
}

/** `?lang=` first, then the first of the browser's languages that the page speaks. */
export function firstLanguage(search: string, spoken: readonly string[]): Lang {
  const wanted = [new URLSearchParams(search).get("lang") ?? "", ...spoken];
  const known = wanted
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => tag === "ko" || tag === "en");
  return known === "ko" ? "ko" : "en";
}
