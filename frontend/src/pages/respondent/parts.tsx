/** Small parts that several screens share. */

import type { ComponentChildren } from "preact";
import type { Report } from "../../privacy/mechanisms/mechanism.ts";
import type { Manifest, Question } from "../../wire/manifest.ts";
import { mechanismsOf } from "../../wire/report.ts";
import type { Drawn, Event, Flow } from "./flow.ts";
import type { Bilingual, Key, Lang, Lists, Translate } from "./text.ts";

/** What a screen may know and do. */
export interface Scene {
  readonly flow: Flow;
  readonly lang: Lang;
  readonly lists: Lists;
  readonly t: Translate;
  /** In a preview: where its designer works on. */
  readonly preview: string | undefined;
  /** A name that no browser has stored anything under: new at every load. */
  readonly id: string;
  readonly dispatch: (event: Event) => void;
  readonly go: (to: Drawn) => void;
  readonly draw: () => void;
  readonly send: () => void;
  readonly hurry: () => void;
  readonly erase: () => void;
}

interface ButtonProps {
  readonly on: () => void;
  readonly look?: "plain" | "quiet";
  readonly children: ComponentChildren;
}

export function Button({ on, look, children }: ButtonProps) {
  return (
    <button type="button" class={`button ${look ?? ""}`} onClick={on}>
      {children}
    </button>
  );
}

/** The heading that receives the focus when a screen appears. */
export function Title({ children }: { readonly children: ComponentChildren }) {
  return <h1 tabIndex={-1}>{children}</h1>;
}

interface ProgressProps {
  readonly text: string;
  readonly n: number;
  readonly total: number;
}

export function Progress({ text, n, total }: ProgressProps) {
  return (
    <label class="progress">
      {text}
      <progress max={total} value={n} />
    </label>
  );
}

/** How many questions there are: "up to" so many where an answer decides about others. */
export function countOf(manifest: Manifest, t: Translate): string | number {
  const n = mechanismsOf(manifest).length;
  return manifest.questions.some(({ mechanism, visibleIf }) => mechanism && visibleIf)
    ? t("$upTo", { n })
    : n;
}

interface EraseProps {
  readonly t: Translate;
  readonly erase: () => void;
}

/** Offers to delete what is kept of a report that has no receipt. */
export function Erase({ t, erase }: EraseProps) {
  return (
    <section class="card">
      <p>{t("$stays")}</p>
      <Button look="plain" on={erase}>
        {t("$erase")}
      </Button>
    </section>
  );
}

/** A screen that only says something: a heading and, in the sentence's second line or apart, what follows. */
export function Notice({ t, says, lead, children }: NoticeProps) {
  const [title, more] = t(says).split("\n");
  return (
    <>
      <Title>{title}</Title>
      <p>{lead === undefined ? more : t(lead)}</p>
      {children}
    </>
  );
}

interface NoticeProps {
  readonly t: Translate;
  readonly says: Key;
  readonly lead?: Key;
  readonly children?: ComponentChildren;
}

/** An admin's text with its line breaks. */
export function Lines({ text, lang }: { readonly text: Bilingual; readonly lang: Lang }) {
  return text[lang] === "" ? null : <p class="lines">{text[lang]}</p>;
}

/** What a report says, one line per box reported. */
export function reportLines(question: Question, report: Report, lang: Lang, t: Translate): readonly string[] {
  if (typeof report === "number") return [question.choices[report]?.text[lang] ?? t("$noAnswer")];
  const marks: readonly (readonly [number, number])[] =
    question.mechanism?.name === "one-box"
      ? [[report[0] as number, report[1] as number]]
      : report.map((mark, box) => [box, mark]);
  return marks.map(([box, mark]) =>
    t((["$ticked", "$unticked"] as const)[mark] ?? "$unsaid", {
      box: question.choices[box]?.text[lang] ?? "",
    }),
  );
}
