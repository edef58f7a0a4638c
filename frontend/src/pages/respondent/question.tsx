/** One question at a time, and the screen before the draw. */

import type { Mechanism } from "../../privacy/mechanisms/mechanism.ts";
import type { Question } from "../../wire/manifest.ts";
import { Wheel } from "./figures.tsx";
import { type Picked, progress } from "./flow.ts";
import { bright, kept, percent } from "./odds.ts";
import { Button, countOf, Progress, type Scene, Title } from "./parts.tsx";
import type { Key, Translate } from "./text.ts";

export function Asking({ place, ...scene }: Scene & { readonly place: number }) {
  const { flow, lang, t, dispatch, id } = scene;
  const question = flow.manifest.questions[place] as Question;
  const { mechanism } = question;
  const { n, place: done, total } = progress(flow, place);
  return (
    <>
      {mechanism && (
        <Progress text={t("$step", { n, total: countOf(flow.manifest, t) })} n={done} total={total} />
      )}
      {mechanism === null ? (
        <div class="card note">
          <Title>{question.text[lang]}</Title>
        </div>
      ) : (
        <fieldset key={place} aria-describedby={`${id}-hint`}>
          <legend>
            <Title>{question.text[lang]}</Title>
          </legend>
          <div id={`${id}-hint`}>
            {question.kind === "multiple" && <p class="soft">{t("$several")}</p>}
            {!question.required && <p class="soft">{t("$optional")}</p>}
            {flow.missing && (
              <p class="error" role="alert">
                {t("$choose")}
              </p>
            )}
          </div>
          <div class={`choices ${question.kind === "likert" ? "scale" : ""}`}>
            <Choices question={question} place={place} {...scene} />
          </div>
        </fieldset>
      )}
      <div class="actions">
        <Button on={() => dispatch({ is: "next" })}>{t("$next")}</Button>
        <Button look="plain" on={() => dispatch({ is: "back" })}>
          {t("$back")}
        </Button>
      </div>
      {mechanism !== null && (
        <details>
          <summary>{t("$what")}</summary>
          <Odds mechanism={mechanism} t={t} />
        </details>
      )}
    </>
  );
}

interface Asked extends Scene {
  readonly question: Question;
  readonly place: number;
}

function Choices({ question, place, flow, lang, lists, t, id, dispatch }: Asked) {
  const picked = flow.answers[place];
  const several = question.kind === "multiple";
  const name = `${id}-${place}`;
  // An answer of the survey's own that says the same is enough, in both languages.
  const twin = (key: Key) =>
    question.choices.some(({ text }) =>
      (["en", "ko"] as const).some((code) => bare(text[code]) === bare(lists[code].sentences[key])),
    );
  const pick = (answer: Picked) => dispatch({ is: "pick", question: place, answer });
  const one = (label: string, checked: boolean, answer: () => Picked, apart: boolean, box: boolean) => (
    <label key={label} class={`choice ${apart ? "apart" : ""}`}>
      <input
        type={box ? "checkbox" : "radio"}
        name={name}
        autocomplete="off"
        checked={checked}
        onChange={() => pick(answer())}
      />
      <span>{label}</span>
    </label>
  );
  return (
    <>
      {question.choices.map(({ text }, at) =>
        several
          ? one(text[lang], ticks(picked).includes(at), () => toggled(picked, at), false, true)
          : one(text[lang], picked === at, () => at, false, false),
      )}
      {several &&
        !twin("$none") &&
        one(t("$none"), isNone(picked), () => (isNone(picked) ? undefined : []), true, true)}
      {!question.required &&
        !twin("$rather") &&
        one(
          t("$rather"),
          picked === null,
          () => (several && picked === null ? undefined : null),
          true,
          several,
        )}
    </>
  );
}

/** Only the letters, so that a full stop or a capital makes no other answer. */
function bare(text: string): string {
  return text.toLowerCase().replace(/\P{L}/gu, "");
}

function ticks(picked: Picked): readonly number[] {
  return Array.isArray(picked) ? picked : [];
}

function isNone(picked: Picked): boolean {
  return Array.isArray(picked) && picked.length === 0;
}

/** Ticking a box takes back "none" and "rather not"; unticking the last leaves the question untouched. */
function toggled(picked: Picked, box: number): Picked {
  const before = ticks(picked);
  const after = before.includes(box) ? before.filter((other) => other !== box) : [...before, box];
  return after.length === 0 ? undefined : after;
}

function Odds({ mechanism, t }: { readonly mechanism: Mechanism; readonly t: Translate }) {
  return (
    <div class="beside">
      {mechanism.name !== "coin" && <Wheel t={t} mechanism={mechanism} />}
      <div>
        <p>{oddsText(mechanism, t)}</p>
        <p>{t(oddsKey(mechanism), { n: Math.round(100 * kept(mechanism)) })}</p>
      </div>
    </div>
  );
}

/** Of a multiple choice the odds are those of a box. */
function oddsKey({ name }: Mechanism): Key {
  if (name === "one-box") return "$oddsOne";
  return name === "every-box" ? "$oddsEvery" : "$odds";
}

/** What the wheel, or the coins, decide about an answer. */
function oddsText(mechanism: Mechanism, t: Translate): string {
  const { name, num, bits, boxes = 0 } = mechanism;
  if (name === "coin") return t("$tosses", { m: bits, t: num, all: 2 ** bits });
  const said = [t("$wheel", { percent: percent(bright(mechanism)) })];
  said.push(t(name === "spinner-coin" ? "$wheelAny" : "$wheelOther"));
  if (boxes > 0) said.unshift(t(name === "one-box" ? "$wheelOne" : "$wheelEvery", { m: boxes }));
  return said.join(" ");
}

/** Everything is answered: the last moment at which it can still be changed. */
export function Ready({ flow, t, id, dispatch, draw }: Scene) {
  return (
    <>
      <Title>{t("$ready")}</Title>
      <p>{t("$readyLead")}</p>
      <p>{t("$readyThen")}</p>
      <label class="choice">
        <input
          type="checkbox"
          name={`${id}-plain`}
          autocomplete="off"
          checked={flow.plain}
          onChange={() => dispatch({ is: "plain", plain: !flow.plain })}
        />
        <span>{t("$plain")}</span>
      </label>
      <div class="actions">
        <Button on={draw}>{t("$done")}</Button>
        <Button look="plain" on={() => dispatch({ is: "back" })}>
          {t("$back")}
        </Button>
      </div>
    </>
  );
}
