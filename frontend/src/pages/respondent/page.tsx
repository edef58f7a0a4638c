/** The whole page for a view: frame, language switch, and the screen of the stage. */

import { Left, NotSent, Receipt, Review, Sending } from "./ending.tsx";
import { Mark } from "./figures.tsx";
import type { Flow, Stop } from "./flow.ts";
import { Button, Erase, Notice, type Scene } from "./parts.tsx";
import { Asking, Ready } from "./question.tsx";
import { Reveal } from "./reveal.tsx";
import type { View } from "./session.ts";
import { type Lang, type Lists, translator } from "./text.ts";
import { Welcome } from "./welcome.tsx";

export interface PageProps extends Omit<Scene, "flow" | "t"> {
  readonly view: View;
  readonly setLang: (lang: Lang) => void;
  readonly reload: () => void;
}

export function Page(props: PageProps) {
  const { view, lang, lists, preview } = props;
  const t = translator(lists[lang].sentences);
  return (
    <>
      {preview && (
        <p class="banner">
          {t("$preview")} <a href={preview}>{t("$design")}</a>
        </p>
      )}
      <div class="top">
        <span class="mark" translate={false}>
          <Mark />
          Deniable
        </span>
        <Langs {...props} />
      </div>
      <div class="page">
        {view.flow !== null ? (
          <Screen {...props} t={t} flow={view.flow} />
        ) : view.stop !== null ? (
          <Stopped why={view.stop} {...props} />
        ) : (
          <p role="status">{t("$loading")}</p>
        )}
      </div>
    </>
  );
}

function Langs({ lang, setLang }: PageProps) {
  const languages: readonly (readonly [Lang, string])[] = [
    ["ko", "한국어"],
    ["en", "English"],
  ];
  return (
    <div class="langs">
      {languages.map(([code, name]) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-pressed={code === lang}
          onClick={() => setLang(code)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function Screen(scene: Scene) {
  const { stage } = scene.flow as Flow;
  switch (stage.at) {
    case "welcome":
      return <Welcome {...scene} />;
    case "question":
      return <Asking {...scene} place={stage.question} />;
    case "ready":
      return <Ready {...scene} />;
    case "drawing":
      return <p role="status">{scene.t("$turning")}</p>;
    case "reveal":
      return <Reveal {...scene} index={stage.turn} turning={stage.turning} />;
    case "review":
      return <Review {...scene} />;
    case "sending":
      return <Sending {...scene} {...stage} />;
    case "unsent":
      return <NotSent {...scene} {...stage} />;
    case "receipt":
      return <Receipt {...scene} {...stage} />;
    case "stopped":
      return <Stopped {...scene} why={stage.why} />;
    default:
      return <Left {...scene} />;
  }
}

/** Where loading again may help, and where somebody should hear of it. */
const AGAIN: readonly Stop[] = ["$offline", "$paused"];
const TELL: readonly Stop[] = ["$refused", "$reused", "$mismatch", "$unsound"];

interface Spoken {
  readonly lang: Lang;
  readonly lists: Lists;
}

interface StoppedProps extends Spoken {
  readonly why: Stop;
  readonly reload?: () => void;
  readonly flow?: Flow | null;
  readonly erase: () => void;
}

function Stopped({ why, lang, lists, reload, flow, erase }: StoppedProps) {
  const t = translator(lists[lang].sentences);
  return (
    <Notice t={t} says={why}>
      {TELL.includes(why) && <p>{t("$tell")}</p>}
      {reload !== undefined && AGAIN.includes(why) && <Button on={reload}>{t("$again")}</Button>}
      {flow?.body && <Erase t={t} erase={erase} />}
      {why === "$unsafe" && <OtherLanguage lang={lang === "ko" ? "en" : "ko"} lists={lists} />}
    </Notice>
  );
}

/** Where nothing can be asked, both languages are said at once. */
function OtherLanguage({ lang, lists }: Spoken) {
  const [title, lead] = translator(lists[lang].sentences)("$unsafe").split("\n");
  return (
    <div lang={lang}>
      <h2>{title}</h2>
      <p>{lead}</p>
    </div>
  );
}
