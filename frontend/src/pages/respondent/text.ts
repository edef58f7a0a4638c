/** The page's words in both languages, and which language to begin with. */

import en from "../../i18n/en.json";
import ko from "../../i18n/ko.json";

export type Lang = "en" | "ko";
export type Key = keyof typeof en;
/** A text of the survey, written by its admin. */
export type Bilingual = Readonly<Record<Lang, string>>;
export type Facts = Readonly<Record<string, string | number>>;
export type Translate = (key: Key, facts?: Facts) => string;

// The build numbers the keys and leaves lists of sentences: see pack.ts.
const sentences = { en, ko } as unknown as Readonly<Record<Lang, readonly string[]>>;

/** The sentence of this key with its {places} filled. */
export function translator(lang: Lang): Translate {
  return (key, facts = {}) =>
    (sentences[lang][key as unknown as number] as string).replace(/\{(\w+)\}/g, (_, name: string) =>
      String(facts[name]),
    );
}

/** `?lang=` first, then the first of the browser's languages that the page speaks. */
export function firstLanguage(search: string, spoken: readonly string[]): Lang {
  const wanted = [new URLSearchParams(search).get("lang") ?? "", ...spoken];
  const known = wanted
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => tag === "ko" || tag === "en");
  return known === "ko" ? "ko" : "en";
}
