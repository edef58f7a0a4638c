/** From the review on: what leaves the device, whether it has arrived, or why not. */

import { unhex } from "../../wire/bytes.ts";
import { readPacked } from "../../wire/report.ts";
import type { Stage } from "./flow.ts";
import { Button, Erase, Notice, reportLines, type Scene, Title } from "./parts.tsx";

export function Review(scene: Scene) {
  const { flow, t, preview, send, dispatch, go } = scene;
  const body = flow.body ?? "";
  const unread = flow.from === "unread";
  const conditional = flow.manifest.questions.some(({ visibleIf }) => visibleIf !== null);
  return (
    <>
      <Title>{t("$review")}</Title>
      {flow.from === "before" && <p class="odds">{t("$before")}</p>}
      {(unread || flow.from === "older") && <p class="odds">{t("$older")}</p>}
      <p>{t("$reviewLead")}</p>
      {unread ? <Unread body={body} {...scene} /> : <Report body={body} {...scene} />}
      {conditional && <p class="soft small">{t("$silent")}</p>}
      <details>
        <summary>{t("$raw")}</summary>
        <code class="code">{body}</code>
      </details>
      {preview ? (
        <>
          <p class="odds">{t("$end")}</p>
          <Button look="plain" on={() => dispatch({ is: "restart" })}>
            {t("$restart")}
          </Button>
        </>
      ) : (
        <div class="actions">
          <Button on={send}>{t("$send")}</Button>
          <Button look="plain" on={() => go({ at: "left" })}>
            {t("$leave")}
          </Button>
        </div>
      )}
    </>
  );
}

/** Bytes alone, where the version that gives them words is not to be had. */
function Unread({ body, t }: Scene & { readonly body: string }) {
  const { reports } = JSON.parse(body) as { reports: readonly string[] };
  return (
    <>
      <p>{t("$unread")}</p>
      <ol class="card slip">
        {reports.map((report, at) => (
          <li key={at}>
            {at + 1}. <code>{report}</code>
          </li>
        ))}
      </ol>
    </>
  );
}

function Report({ body, flow: { manifest }, lang, t }: Scene & { readonly body: string }) {
  const { reports } = JSON.parse(body) as { reports: readonly string[] };
  const said = [...readPacked(manifest, unhex(reports.join("")))];
  return (
    <ol class="card slip">
      {manifest.questions.map(
        (question) =>
          question.mechanism && (
            <li key={question.id}>
              <span class="asked">{question.text[lang]}</span>
              {reportLines(question, said.shift() ?? 0, lang, t).map((line) => (
                <b key={line}>{line}</b>
              ))}
            </li>
          ),
      )}
    </ol>
  );
}

type SendingStage = Extract<Stage, { at: "sending" }>;

export function Sending({ wait, t, hurry }: Scene & SendingStage) {
  return (
    <>
      <Title>{t("$sending")}</Title>
      <p role="status">{wait === "other" ? t("$otherTab") : wait !== null && t("$wait", { n: wait })}</p>
      <p class="soft">{t("$safe")}</p>
      {typeof wait === "number" && <Button on={hurry}>{t("$again")}</Button>}
    </>
  );
}

type UnsentStage = Extract<Stage, { at: "unsent" }>;

export function NotSent({ why, t, send, go }: Scene & UnsentStage) {
  return (
    <Notice t={t} says="$unsent" lead={why}>
      <p>{t("$safe")}</p>
      <div class="actions">
        <Button on={send}>{t("$again")}</Button>
        <Button look="plain" on={() => go({ at: "left" })}>
          {t("$leave")}
        </Button>
      </div>
    </Notice>
  );
}

type ReceiptStage = Extract<Stage, { at: "receipt" }>;

export function Receipt({ receipt, earlier, t }: Scene & ReceiptStage) {
  return (
    <>
      <svg class="tick" viewBox="0 0 40 40" aria-hidden="true">
        <circle class="w-bright" cx="20" cy="20" r="20" />
        <path d="M11 20.5l6.5 6.5L29.5 14" />
      </svg>
      <Title>{t(earlier ? "$already" : "$thanks")}</Title>
      <p>{t(earlier ? "$alreadyLead" : "$receiptLead")}</p>
      <p>
        {t("$receipt")}
        <code class="code">{receipt}</code>
      </p>
    </>
  );
}

export function Left({ flow, t, go, erase }: Scene) {
  return flow.stage.at === "erased" ? (
    <Notice t={t} says="$erased" lead="$erasedLead" />
  ) : (
    <Notice t={t} says="$left">
      {!flow.tried && <p class="odds">{t("$nothing")}</p>}
      <div class="actions">
        <Button on={() => go({ at: "review" })}>{t("$check")}</Button>
      </div>
      <Erase t={t} erase={erase} />
    </Notice>
  );
}
