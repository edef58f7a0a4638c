/** The questionnaire of the page's own tests. */

import { type Manifest, manifestFrom } from "../../wire/manifest.ts";

const text = (word: string) => ({ ko: word, en: word });
const yesNo = [
  { id: "yes", text: text("Yes") },
  { id: "no", text: text("No") },
];
const boxes = ["a", "b", "c"].map((id) => ({ id, text: text(id) }));
const wheel = (choices: number, num: number) => ({ name: "spinner", choices, num, bits: 32 });

/** Required yes/no; asked after yes; a note; optional boxes. */
export const survey: Manifest = manifestFrom({
  slug: "cast",
  version: 1,
  title: text("Cast"),
  intro: text(""),
  questions: [
    {
      ...{ id: "first", text: text("First?"), kind: "yes_no", choices: yesNo, required: true },
      ...{ epsilon: "1.0987", epsilon_asked: "ln(3)", mechanism: wheel(2, 3221225472) },
    },
    {
      ...{ id: "then", text: text("Then?"), kind: "yes_no", choices: yesNo, required: true },
      visible_if: { all: [{ question: "first", is: ["yes"] }] },
      ...{ epsilon: "1.0987", epsilon_asked: "ln(3)", mechanism: wheel(3, 2576980377) },
    },
    { id: "note", text: text("Note"), kind: "note", choices: [], required: false },
    {
      ...{ id: "boxes", text: text("Which?"), kind: "multiple", choices: boxes, required: false },
      ...{ epsilon: "1.0987", epsilon_asked: "ln(3)" },
      mechanism: { name: "one-box", boxes: 3, choices: 3, num: 2576980377, bits: 32 },
    },
  ],
  epsilon_total: "3.2961",
  closes: null,
  target: null,
  fingerprint: "0".repeat(64),
  state: "open",
});
