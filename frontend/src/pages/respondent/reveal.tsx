/** The wheels and coins, showing the one draw that has been made. */

import type { Question } from "../../wire/manifest.ts";
import { isOwn, type Turn } from "./draw.ts";
import { Coins, facesOf, mayMove, Wheel } from "./figures.tsx";
import { anyAfterDark } from "./odds.ts";
import { Button, Progress, reportLines, type Scene, Title } from "./parts.tsx";
import type { Translate } from "./text.ts";

export function Reveal({ index, turning, ...scene }: Scene & Showing) {
  const { flow, lang, t, go } = scene;
  const turn = flow.turns[index] as Turn;
  const question = flow.manifest.questions[turn.question] as Question;
  const boxes = question.choices.map(({ text }) => text[lang]);
  const last = index === flow.turns.length - 1;
  const resting = !turning || !mayMove();
  return (
    <>
      <Progress
        text={t("$turn", { n: index + 1, total: flow.turns.length })}
        n={index + 1}
        total={flow.turns.length}
      />
      <Title>{question.text[lang]}</Title>
      <div class="turn">
        <Machine key={index} turn={turn} boxes={boxes} t={t} />
        <div class="outcome" role="status">
          {resting ? (
            <>
              {outcome(turn, boxes, t).map((line) => (
                <p key={line}>{line}</p>
              ))}
              <Fallen turn={turn} t={t} />
              <p class="soft small">{t("$sent")}</p>
              {reportLines(question, turn.report, lang, t).map((line) => (
                <p key={line} class="sent">
                  {line}
                </p>
              ))}
            </>
          ) : (
            <p class="soft">{t("$turning")}</p>
          )}
        </div>
      </div>
      <div class="actions">
        <Button on={() => go({ at: "reveal", turn: index + 1, turning: true })}>
          {t(last ? "$check" : "$next")}
        </Button>
        {!last && (
          <Button look="plain" on={() => go({ at: "review" })}>
            {t("$check")}
          </Button>
        )}
      </div>
    </>
  );
}

interface Showing {
  readonly index: number;
  readonly turning: boolean;
}

interface MachineProps {
  readonly turn: Turn;
  readonly t: Translate;
}

function Machine({
  turn: { mechanism, words },
  boxes,
  t,
}: MachineProps & { readonly boxes: readonly string[] }) {
  if (mechanism.name === "coin") {
    const word = words[0] as number;
    return <Coins t={t} faces={facesOf(word, mechanism.bits)} own={isOwn(mechanism, word)} />;
  }
  if (mechanism.name !== "every-box") return <Wheel t={t} mechanism={mechanism} word={words[0] as number} />;
  const wheels = words.map((word, at) => (
    <figure key={at}>
      <Wheel t={t} mechanism={mechanism} word={word} label={boxes[at] as string} />
      <figcaption class="small">{boxes[at]}</figcaption>
    </figure>
  ));
  return <div class="row">{wheels}</div>;
}

/** Two answers, and chance among both: that is a coin, so it is shown. */
function Fallen({ turn: { mechanism, words, report }, t }: MachineProps) {
  const any = mechanism.name === "spinner-coin" && mechanism.choices === 2;
  if (!any || isOwn(mechanism, words[0] as number)) return null;
  return <Coins t={t} faces={[report === 0]} own={false} />;
}

function outcome({ mechanism, words, report }: Turn, boxes: readonly string[], t: Translate): string[] {
  const { name } = mechanism;
  const own = words.filter((word) => isOwn(mechanism, word)).length;
  if (name === "every-box") return [t("$boxes", { n: own, m: words.length })];
  const where = t(name === "coin" ? "$coins" : own ? "$bright" : "$dark");
  const goes = t(own ? "$own" : anyAfterDark(mechanism) ? "$any" : "$other");
  const drawn = name === "one-box" && t("$box", { box: boxes[(report as readonly number[])[0] ?? 0] ?? "" });
  return [...(drawn ? [drawn] : []), `${where}: ${goes}`];
}
