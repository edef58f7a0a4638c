/** The first screen: what is asked, what the wheel does to the answers, and in which odds. */

import { fingerprintWords } from "../../wire/fingerprint.ts";
import type { Manifest } from "../../wire/manifest.ts";
import { mechanismsOf } from "../../wire/report.ts";
import { Wheel } from "./figures.tsx";
import { bright, epsilonFrom, kept, keptRange, liarPoints, percent, percentUp, posterior } from "./odds.ts";
import { Button, countOf, Lines, type Scene, Title } from "./parts.tsx";
import type { Lang, Translate } from "./text.ts";

const NEARLY_SURE = 0.995;

export function Welcome({ flow: { manifest }, lang, lists, t, dispatch }: Scene) {
  const begin = () => dispatch({ is: "next" });
  const asked = mechanismsOf(manifest).length;
  return (
    <>
      <Title>{manifest.title[lang]}</Title>
      <Lines text={manifest.intro} lang={lang} />
      <p class="soft small">
        {t("$count", { n: countOf(manifest, t) })}
        {manifest.closes !== null && ` · ${t("$until", { date: dateOf(manifest.closes, lang) })}`}
      </p>
      {asked > 0 && <Assurance manifest={manifest} lang={lang} t={t} />}
      <div class="actions">
        <Button on={begin}>{t("$begin")}</Button>
      </div>
      <section class="card">
        <h2>{t("$words")}</h2>
        <ul class="words">
          {fingerprintWords(manifest.fingerprint, lists[lang].words).map((word, at) => (
            <li key={at}>{word}</li>
          ))}
        </ul>
        <p class="soft small">{t("$wordsNote")}</p>
      </section>
      {asked > 0 && <p class="soft small">{openLabel(manifest, t)}</p>}
    </>
  );
}

interface Told {
  readonly manifest: Manifest;
  readonly lang: Lang;
  readonly t: Translate;
}

function Assurance({ manifest, lang, t }: Told) {
  const [low, high] = keptRange(manifest);
  const mechanisms = mechanismsOf(manifest);
  const typical = mechanisms.reduce((most, one) => (bright(one) > bright(most) ? one : most));
  const bound = posterior(Number(manifest.epsilonTotal));
  return (
    <section class="card promise">
      <Wheel t={t} mechanism={typical} />
      <div>
        <h2>{t("$title")}</h2>
        <p>{t("$lead")}</p>
        <p class="odds">
          {low === high ? t("$odds", { n: low }) : t("$oddsRange", { low, high })}
          {mechanisms.some(({ boxes }) => boxes) && ` ${t("$perBox")}`}
        </p>
      </div>
      <div class="wide">
        {bound > NEARLY_SURE ? (
          <p>{t("$unsure")}</p>
        ) : (
          <>
            <p>{t("$deny")}</p>
            <p>{t("$bound", { percent: percentUp(bound) })}</p>
          </>
        )}
        <details>
          <summary>{t("$exact")}</summary>
          <Exact manifest={manifest} lang={lang} t={t} />
        </details>
      </div>
    </section>
  );
}

function Exact({ manifest, lang, t }: Told) {
  return (
    <>
      <p>{t("$total", { epsilon: manifest.epsilonTotal })}</p>
      <ul class="facts">
        {manifest.questions.map(
          ({ id, text, epsilon, mechanism }, place) =>
            mechanism && (
              <li key={id}>
                {text[lang]}
                <dl>
                  <Fact name={t("$bright")} value={`${mechanism.num} / 2^${mechanism.bits}`} />
                  <Fact name={t("$kept")} value={percent(kept(mechanism))} />
                  <Fact name="ε" value={epsilon ?? ""} />
                  <Fact name={t("$most")} value={percentUp(posterior(epsilonFrom(manifest, place)))} />
                </dl>
              </li>
            ),
        )}
      </ul>
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function openLabel(manifest: Manifest, t: Translate): string {
  const n = manifest.target || 1000;
  return t("$open", { n, points: Math.ceil(liarPoints(manifest, n) * 100) / 100 });
}

/** With the zone's name: the invitation may tell the time of another. */
function dateOf(instant: string, lang: Lang): string {
  return new Date(instant).toLocaleString(lang, {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  });
}
