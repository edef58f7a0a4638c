/** From what a person chose to the truths that are randomised; branching is decided here, on the device. */

import { refuse } from "../privacy/errors.ts";
import type { Truth } from "../privacy/mechanisms/mechanism.ts";
import type { Manifest, Question } from "./manifest.ts";

/** A choice's index; for a multiple choice the indices of the ticked boxes; null: no answer given. */
export type Answer = number | readonly number[] | null;

/** Which questions are asked, given one answer per question; answers to hidden questions do not count. */
export function asked(manifest: Manifest, answers: readonly Answer[]): readonly boolean[] {
  const shown: boolean[] = [];
  for (const { visibleIf } of manifest.questions) {
    const met = visibleIf?.conditions.map(
      ({ question, is }) =>
        shown[question] === true && chosen(answers[question]).some((one) => is.includes(one)),
    );
    shown.push(met === undefined || (visibleIf?.mode === "any" ? met.includes(true) : !met.includes(false)));
  }
  return shown;
}

/** One truth per question with a mechanism; hidden and unanswered ones become "no answer". */
export function truthsOf(manifest: Manifest, answers: readonly Answer[]): readonly Truth[] {
  if (answers.length !== manifest.questions.length) refuse("truths-incomplete");
  const shown = asked(manifest, answers);
  return manifest.questions.flatMap((question, at) => {
    if (question.mechanism === null) return [];
    const answer = shown[at] === true ? (answers[at] ?? null) : null;
    if (shown[at] === true && question.required && answer === null)
      refuse("answer-required", { question: question.id });
    // As an element of its own: a multiple choice's truth is itself an array.
    return [question.kind === "multiple" ? ticksOf(question, answer) : indexOf(question, answer)];
  });
}

function indexOf(question: Question, answer: Answer): number {
  return listed(question, answer === null ? [question.silence] : [answer], question.silence)[0] as number;
}

/** Per box 0 when ticked, 1 when not, 2 for no answer. */
function ticksOf(question: Question, answer: Answer): readonly number[] {
  if (answer === null) return question.choices.map(() => question.silence as number);
  const ticked = listed(question, Array.isArray(answer) ? answer : [answer], null);
  return question.choices.map((_, box) => (ticked.includes(box) ? 0 : 1));
}

/** The same indices, when each is one of the question's choices (or its silence). */
function listed(question: Question, given: readonly unknown[], silence: number | null): readonly number[] {
  const known = given.every(
    (one) =>
      Number.isInteger(one) &&
      (one === silence || ((one as number) >= 0 && (one as number) < question.choices.length)),
  );
  return known ? (given as readonly number[]) : refuse("truth-out-of-range", { question: question.id });
}

function chosen(answer: Answer | undefined): readonly number[] {
  if (answer === null || answer === undefined) return [];
  return typeof answer === "number" ? [answer] : answer;
}
