/** The course of one answer as a pure function: what is shown next, and what is forgotten when. */

import { type Answer, asked } from "../../wire/answers.ts";
import type { Manifest, Question } from "../../wire/manifest.ts";
import { mechanismsOf } from "../../wire/report.ts";
import type { Turn } from "./draw.ts";
import type { Kept } from "./keep.ts";

/** Undefined: not touched yet; null: would rather not say. */
export type Picked = Answer | undefined;

/** Why there is no receipt yet, and why there is nothing to do: each the key of what is said. */
export type Unsent = "$network" | "$server" | "$receiptWrong";
export type Stop =
  | ("$refused" | "$reused" | "$closed" | "$paused" | "$missing")
  | ("$mismatch" | "$unsound" | "$offline" | "$unsafe" | "$broken");

/** Before the draw. */
export type Asking =
  | { readonly at: "welcome" | "ready" }
  | { readonly at: "question"; readonly question: number };

/** From the draw on: nothing leads back from here. */
export type Drawn =
  | { readonly at: "drawing" | "review" | "left" | "erased" }
  | { readonly at: "reveal"; readonly turn: number; readonly turning: boolean }
  /** Seconds until the next attempt; null while one runs; "other" while another tab sends. */
  | { readonly at: "sending"; readonly wait: number | null | "other" }
  | { readonly at: "unsent"; readonly why: Unsent }
  | { readonly at: "stopped"; readonly why: Stop }
  | { readonly at: "receipt"; readonly receipt: string; readonly earlier: boolean };

export type Stage = Asking | Drawn;

export interface Flow {
  readonly manifest: Manifest;
  readonly stage: Stage;
  /** One per question; forgotten at the draw. */
  readonly answers: readonly Picked[];
  /** The current question still needs an answer. */
  readonly missing: boolean;
  /** No wheels and coins, only the report. */
  readonly plain: boolean;
  /** The only body that may be sent. */
  readonly body: string | null;
  /** What the wheels showed; forgotten once they have been shown. */
  readonly turns: readonly Turn[];
  /** Where a body came from that was not drawn just now: unread where its version is not at hand. */
  readonly from: "here" | "before" | "older" | "unread";
  /** This page has tried to send: something may have arrived. */
  readonly tried: boolean;
}

export type Event =
  | { readonly is: "next" | "back" | "wipe" | "restart" }
  | { readonly is: "pick"; readonly question: number; readonly answer: Picked }
  | { readonly is: "plain"; readonly plain: boolean }
  | { readonly is: "drawn"; readonly body: string; readonly turns: readonly Turn[] }
  | { readonly is: "kept"; readonly kept: Kept }
  | { readonly is: "go"; readonly to: Drawn };

/** The beginning: nothing answered, nothing drawn. */
export function flowStart(manifest: Manifest): Flow {
  return {
    manifest,
    stage: { at: "welcome" },
    answers: manifest.questions.map(() => undefined),
    missing: false,
    plain: false,
    body: null,
    turns: [],
    from: "here",
    tried: false,
  };
}

/** What an event makes of the flow. Once there is a body, no event leads back to the questions. */
export function flowAfter(flow: Flow, event: Event): Flow {
  switch (event.is) {
    case "next":
      return onward(flow);
    case "back":
      return backward(flow);
    case "pick":
      return flow.body === null ? picked(flow, event.question, event.answer) : flow;
    case "plain":
      return { ...flow, plain: event.plain };
    case "drawn":
      return flow.body === null ? drawn(flow, event.body, event.turns) : flow;
    case "kept":
      return adopted(flow, event.kept);
    case "go":
      return at(flow, event.to);
    case "wipe":
      return wiped(flow);
    case "restart":
      return flowStart(flow.manifest);
  }
}

/** The places of the questions that are asked, given the answers so far. */
export function askedPlaces({ manifest, answers }: Flow): readonly number[] {
  const shown = asked(manifest, given(answers));
  return manifest.questions.flatMap((_, place) => (shown[place] === true ? [place] : []));
}

/** The answers as the draw takes them: what was not touched is no answer. */
export function given(answers: readonly Picked[]): readonly Answer[] {
  return answers.map((answer) => answer ?? null);
}

export interface Progress {
  /** Which of those asked so far. */
  readonly n: number;
  /** Its place among all that may be asked: this never falls back, and total never changes. */
  readonly place: number;
  readonly total: number;
}

/** How far this question is, notes not counted. */
export function progress(flow: Flow, question: number): Progress {
  const { questions } = flow.manifest;
  const upTo = (places: readonly number[]) =>
    places.filter((place) => place <= question && questions[place]?.kind !== "note").length;
  const place = upTo(questions.map((_, at) => at));
  return { n: upTo(askedPlaces(flow)), place, total: mechanismsOf(flow.manifest).length };
}

/** What the wheels showed stays only while it is shown. */
function at(flow: Flow, stage: Stage): Flow {
  const tried = flow.tried || stage.at === "sending";
  if (stage.at !== "reveal") return { ...flow, stage, tried, missing: false, turns: [] };
  return stage.turn < flow.turns.length ? { ...flow, stage } : at(flow, { at: "review" });
}

function onward(flow: Flow): Flow {
  const { stage, answers, manifest } = flow;
  if (stage.at === "welcome") return forward(flow, -1);
  if (stage.at !== "question") return flow;
  const { required, mechanism } = manifest.questions[stage.question] as Question;
  const unanswered = required && mechanism !== null && (answers[stage.question] ?? null) === null;
  return unanswered ? { ...flow, missing: true } : forward(flow, stage.question);
}

function forward(flow: Flow, from: number): Flow {
  const next = askedPlaces(flow).find((place) => place > from);
  return at(flow, next === undefined ? { at: "ready" } : { at: "question", question: next });
}

function backward(flow: Flow): Flow {
  if (flow.stage.at !== "question" && flow.stage.at !== "ready") return flow;
  const from = flow.stage.at === "question" ? flow.stage.question : flow.manifest.questions.length;
  const before = askedPlaces(flow).findLast((place) => place < from);
  return at(flow, before === undefined ? { at: "welcome" } : { at: "question", question: before });
}

function picked(flow: Flow, question: number, answer: Picked): Flow {
  return { ...flow, missing: false, answers: flow.answers.with(question, answer) };
}

function drawn(flow: Flow, body: string, turns: readonly Turn[]): Flow {
  const held = { ...forgotten(flow), body, turns };
  return at(held, flow.plain ? { at: "review" } : { at: "reveal", turn: 0, turning: true });
}

/** Another tab's or an earlier visit's outcome takes the place of whatever this tab was doing. */
function adopted(flow: Flow, kept: Kept): Flow {
  if (flow.stage.at === "receipt") return flow;
  if (kept.at === "sent") return at(forgotten(flow), { at: "receipt", receipt: kept.receipt, earlier: true });
  if (kept.at === "erased") return at({ ...forgotten(flow), body: null }, { at: "erased" });
  if (flow.body === kept.body) return flow;
  const from = kept.fingerprint === flow.manifest.fingerprint ? "before" : "unread";
  return at({ ...forgotten(flow), body: kept.body, from }, { at: "review" });
}

/** On leaving the page: nothing of the answers stays, and no stage that would need them. */
function wiped(flow: Flow): Flow {
  const { at: place } = flow.stage;
  if (place === "reveal") return at(forgotten(flow), { at: "review" });
  return place === "question" || place === "ready" ? at(forgotten(flow), { at: "welcome" }) : forgotten(flow);
}

function forgotten(flow: Flow): Flow {
  return { ...flow, answers: flow.answers.map(() => undefined), turns: [] };
}
