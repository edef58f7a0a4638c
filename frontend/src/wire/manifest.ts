/** A survey's manifest as typed values; whatever deviates from the contract is refused. */

import { tenThousandths, total } from "../privacy/accounting.ts";
import { refuse } from "../privacy/errors.ts";
import { mechanismFrom } from "../privacy/mechanisms/catalogue.ts";
import type { Mechanism } from "../privacy/mechanisms/mechanism.ts";
import { fingerprintCheck } from "./fingerprint.ts";
import {
  array,
  distinct,
  fields,
  flag,
  instant,
  matching,
  type Row,
  string,
  texts,
  whole,
} from "./shapes.ts";

/** In ten-thousandths. More is never asked on a device, whatever a server says: 16 a question, 64 in all. */
export const EPSILON_CAP = 160_000n;
export const EPSILON_TOTAL_CAP = 640_000n;

export type Text = Readonly<Record<"ko" | "en", string>>;
export type Kind = "yes_no" | "single" | "likert" | "multiple" | "note";
export type State = "open" | "paused" | "closed";

export interface Choice {
  readonly id: string;
  readonly text: Text;
}

export interface Condition {
  /** The earlier question's place among the questions, and the places of the choices that fulfil this. */
  readonly question: number;
  readonly is: readonly number[];
}

export interface Conditions {
  readonly mode: "all" | "any";
  readonly conditions: readonly Condition[];
}

export interface Question {
  readonly id: string;
  readonly text: Text;
  readonly kind: Kind;
  /** As shown; for a multiple choice the boxes. "No answer" is not listed. */
  readonly choices: readonly Choice[];
  readonly required: boolean;
  readonly visibleIf: Conditions | null;
  /** The answer (of each box) that means "no answer"; null when the question has none. */
  readonly silence: number | null;
  readonly epsilon: string | null;
  readonly epsilonAsked: string | null;
  readonly mechanism: Mechanism | null;
}

export interface Manifest {
  readonly slug: string;
  readonly version: number;
  readonly title: Text;
  readonly intro: Text;
  readonly questions: readonly Question[];
  readonly epsilonTotal: string;
  readonly closes: string | null;
  readonly target: number | null;
  readonly fingerprint: string;
  readonly state: State;
}

const FIELDS = [
  ...["slug", "version", "title", "intro", "questions", "epsilon_total", "closes", "target"],
  ...["fingerprint", "state"],
];

/** The manifest, when it is well formed, its ε true and under the caps, and it is the announced one. */
export async function manifestOpen(given: unknown, announced: string | null = null): Promise<Manifest> {
  const manifest = manifestFrom(given);
  await fingerprintCheck(given as Row, announced);
  return manifest;
}

/** The manifest, when it is well formed and its ε are those of its integers and under the caps. */
export function manifestFrom(given: unknown): Manifest {
  const row = fields(given, "manifest", FIELDS);
  const questions: Question[] = [];
  for (const question of array(row.questions, "questions")) questions.push(questionFrom(question, questions));
  distinct(questions, "questions");
  return {
    slug: matching(row.slug, "slug", /^[-\w]{1,100}$/),
    version: whole(row.version, "version", 1, 2 ** 32 - 1),
    title: texts(row.title, "title"),
    intro: texts(row.intro, "intro"),
    questions,
    epsilonTotal: epsilonTotal(row.epsilon_total, questions),
    closes: row.closes === null ? null : instant(row.closes, "closes"),
    target: row.target === null ? null : whole(row.target, "target", 0, Number.MAX_SAFE_INTEGER),
    fingerprint: matching(row.fingerprint, "fingerprint", /^[0-9a-f]{64}$/),
    state: matching(row.state, "state", /^(open|paused|closed)$/) as State,
  };
}

function epsilonTotal(given: unknown, questions: readonly Question[]): string {
  const sum = total(questions.flatMap((question) => question.epsilon ?? []));
  if (given !== sum) refuse("epsilon-untrue", { announced: given, actual: sum });
  if (tenThousandths(sum) > EPSILON_TOTAL_CAP) refuse("epsilon-above-cap", { epsilon: sum });
  return sum;
}

function questionFrom(given: unknown, earlier: readonly Question[]): Question {
  const kind = matching(
    (given as Row | null)?.kind,
    "kind",
    /^(yes_no|single|likert|multiple|note)$/,
  ) as Kind;
  const priced = kind === "note" ? [] : ["epsilon", "epsilon_asked", "mechanism"];
  const row = fields(
    given,
    "question",
    ["id", "text", "kind", "choices", "required", ...priced],
    ["visible_if"],
  );
  const choices = choicesFrom(row.choices, kind);
  const required = flag(row.required, "required");
  const visibleIf = row.visible_if === undefined ? null : conditionsFrom(row.visible_if, earlier);
  const silent = kind !== "note" && (!required || visibleIf !== null);
  const about = {
    ...{ id: string(row.id, "id"), text: texts(row.text, "text"), kind, choices, required, visibleIf },
    silence: silent ? (kind === "multiple" ? 2 : choices.length) : null,
  };
  if (kind === "note") return { ...about, epsilon: null, epsilonAsked: null, mechanism: null };
  const mechanism = mechanismFor(row.mechanism, kind, choices.length, silent);
  const epsilon = epsilonOf(mechanism, row.epsilon);
  return { ...about, epsilon, epsilonAsked: string(row.epsilon_asked, "epsilon_asked"), mechanism };
}

function choicesFrom(given: unknown, kind: Kind): readonly Choice[] {
  const choices = array(given, "choices").map((one) => {
    const row = fields(one, "choice", ["id", "text"]);
    return { id: string(row.id, "id"), text: texts(row.text, "text") };
  });
  distinct(choices, "choices");
  const least = { yes_no: 2, single: 2, likert: 2, multiple: 1, note: 0 }[kind];
  const ids = choices.map(({ id }) => id).join();
  const wrong =
    choices.length < least || (kind === "note" && ids !== "") || (kind === "yes_no" && ids !== "yes,no");
  return wrong ? refuse("manifest-malformed", { field: "choices" }) : choices;
}

function conditionsFrom(given: unknown, earlier: readonly Question[]): Conditions {
  const mode = typeof given === "object" && given !== null && "any" in given ? "any" : "all";
  const list = array(fields(given, "visible_if", [mode])[mode], "visible_if");
  if (list.length === 0) refuse("manifest-malformed", { field: "visible_if" });
  return { mode, conditions: list.map((one) => conditionFrom(one, earlier)) };
}

function conditionFrom(given: unknown, earlier: readonly Question[]): Condition {
  const row = fields(given, "visible_if", ["question", "is"]);
  // Only earlier questions are known here, so a later one or the question itself is not found.
  const question = earlier.findIndex(({ id }) => id === row.question);
  const is = array(row.is, "is").map(
    (wanted) => earlier[question]?.choices.findIndex(({ id }) => id === wanted) ?? -1,
  );
  if (is.length === 0 || is.includes(-1)) refuse("manifest-malformed", { field: "visible_if" });
  return { question, is };
}

function mechanismFor(given: unknown, kind: Kind, listed: number, silent: boolean): Mechanism {
  const mechanism = mechanismFrom(given);
  const [boxes, choices] = kind === "multiple" ? [listed, 2] : [undefined, listed];
  const fits = mechanism.boxes === boxes && mechanism.choices === choices + Number(silent);
  return fits ? mechanism : refuse("mechanism-misfit", { name: mechanism.name });
}

function epsilonOf(mechanism: Mechanism, announced: unknown): string {
  const actual = mechanism.epsilon();
  if (announced !== actual) refuse("epsilon-untrue", { announced, actual });
  if (tenThousandths(actual) > EPSILON_CAP) refuse("epsilon-above-cap", { epsilon: actual });
  return actual;
}
