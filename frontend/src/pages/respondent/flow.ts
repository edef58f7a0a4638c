/** The course of one answer as a pure function: what is shown next, and what is forgotten when. */

import { type Answer, asked } from "../../wire/answers.ts";
import type { Manifest } from "../../wire/manifest.ts";
import type { Turn } from "./draw.ts";
import type { Kept } from "./keep.ts";

/** Undefined: not touched yet; null: would rather not say. */
export type Picked = Answer | undefined;

export type Unsent = "network" | "server" | "receiptWrong";
export type Stop =
  | ("refused" | "reused" | "closed" | "paused" | "missing")
  | ("mismatch" | "unsound" | "offline" | "unsafe" | "broken");

export type Stage =
  | { readonly at: "welcome" | "ready" | "drawing" | "review" | "left" | "erased" }
  | { readonly at: "question"; readonly question: number }
  | { readonly at: "reveal"; readonly turn: number; readonly turning: boolean }
  /** Seconds until the next attempt; null while one runs; "other" while another tab sends. */
  | { readonly at: "sending"; readonly wait: number | null | "other" }
  | { readonly at: "unsent"; readonly why: Unsent }
  | { readonly at: "stopped"; readonly why: Stop }
  | { readonly at: "receipt"; readonly receipt: string; readonly earlier: boolean };

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
  /** Where a body came from that was not drawn just now. */
  readonly from: "here" | "before" | "elsewhere" | "older";
}

export type Event =
  | { readonly is: "begin" | "next" | "back" | "done" | "turned" | "onward" | "showAll" }
  | { readonly is: "leave" | "resume" | "wipe" | "restart" }
  | { readonly is: "pick"; readonly question: number; readonly answer: Picked }
  | { readonly is: "plain"; readonly plain: boolean }
  | { readonly is: "drawn"; readonly body: string; readonly turns: readonly Turn[] }
  | { readonly is: "kept"; readonly kept: Kept; readonly elsewhere: boolean }
  | { readonly is: "stage"; readonly stage: Stage };

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
  };
}

/** What an event makes of the flow. Once there is a body, no event leads back to the questions. */
export function flowAfter(flow: Flow, event: Event): Flow {
  switch (event.is) {
    case "begin":
      return flow.stage.at === "welcome" ? forward(flow, -1) : flow;
    case "next":
      return flow.stage.at === "question" ? nextAfter(flow, flow.stage.question) : flow;
    case "back":
      return backward(flow);
    case "pick":
      return flow.body === null ? picked(flow, event.question, event.answer) : flow;
    case "plain":
      return { ...flow, plain: event.plain };
    case "done":
      return flow.stage.at === "ready" ? at(flow, { at: "drawing" }) : flow;
    case "drawn":
      return flow.body === null ? drawn(flow, event.body, event.turns) : flow;
    case "kept":
      return adopted(flow, event.kept, event.elsewhere);
    case "turned":
      return flow.stage.at === "reveal" ? at(flow, { ...flow.stage, turning: false }) : flow;
    case "onward":
      return flow.stage.at === "reveal" ? turn(flow, flow.stage.turn + 1) : flow;
    case "showAll":
      return flow.stage.at === "reveal" ? at(flow, { at: "review" }) : flow;
    case "leave":
      return at(flow, { at: "left" });
    case "resume":
      return flow.body === null ? flow : at(flow, { at: "review" });
    case "wipe":
      return wiped(flow);
    case "restart":
      return flowStart(flow.manifest);
    case "stage":
      return at(flow, event.stage);
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

/** Which of how many this question is, notes not counted. */
export function progress(flow: Flow, question: number): { readonly n: number; readonly total: number } {
  const places = askedPlaces(flow).filter((place) => flow.manifest.questions[place]?.kind !== "note");
  const n = places.filter((place) => place <= question).length;
  return { n: Math.max(1, n), total: Math.max(1, places.length) };
}

function at(flow: Flow, stage: Stage): Flow {
  return { ...flow, stage, missing: false, turns: stage.at === "reveal" ? flow.turns : [] };
}

function forward(flow: Flow, from: number): Flow {
  const next = askedPlaces(flow).find((place) => place > from);
  return at(flow, next === undefined ? { at: "ready" } : { at: "question", question: next });
}

function nextAfter(flow: Flow, question: number): Flow {
  const { required, kind } = flow.manifest.questions[question] ?? { required: false, kind: "note" };
  const unanswered = required && kind !== "note" && (flow.answers[question] ?? null) === null;
  return unanswered ? { ...flow, missing: true } : forward(flow, question);
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
  return flow.plain ? at(held, { at: "review" }) : turn(held, 0);
}

function turn(flow: Flow, index: number): Flow {
  const stage: Stage =
    index < flow.turns.length ? { at: "reveal", turn: index, turning: true } : { at: "review" };
  return at(flow, stage);
}

/** Another tab's or an earlier visit's outcome takes the place of whatever this tab was doing. */
function adopted(flow: Flow, kept: Kept, elsewhere: boolean): Flow {
  if (flow.stage.at === "receipt") return flow;
  if (kept.at === "sent") return at(forgotten(flow), { at: "receipt", receipt: kept.receipt, earlier: true });
  if (kept.at === "erased") return at({ ...forgotten(flow), body: null }, { at: "erased" });
  if (flow.body === kept.body) return flow;
  const older = kept.fingerprint !== flow.manifest.fingerprint;
  const from = older ? "older" : elsewhere ? "elsewhere" : "before";
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
