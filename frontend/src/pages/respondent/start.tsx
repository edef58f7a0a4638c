/** The document, the browser and the session put together. */

import { render } from "preact";
import { secureBits } from "../../privacy/bits.ts";
import { hex } from "../../wire/bytes.ts";
import { mayMove, setMoving } from "./figures.tsx";
import { openShelf } from "./keep.ts";
import { Page } from "./page.tsx";
import { type Place, session, type View, type World } from "./session.ts";
import { firstLanguage, type Lang, type Lists } from "./text.ts";

/** Runs the page inside this element. */
export function start(root: HTMLElement, lists: Lists): void {
  const place = placeOf(root.dataset);
  const safe = canProtect();
  const channel = safe ? new BroadcastChannel("deniable") : null;
  const id = safe ? `q${hex(crypto.getRandomValues(new Uint8Array(6)))}` : "q";
  const about = { id, lists, preview: root.dataset.preview };
  const focus = focusMover(root);
  const guard = backGuard(() => now.dispatch({ is: "back" }));
  let lang = firstLanguage(location.search, navigator.languages);

  const now = session(place, worldOf(place, safe, channel), draw);
  const actions = {
    ...now,
    reload: () => location.reload(),
    setLang(wanted: Lang) {
      lang = wanted;
      address((url) => url.searchParams.set("lang", lang));
      draw();
    },
  };

  function draw(): void {
    const view = now.view();
    document.documentElement.lang = lang;
    // The title never tells the step: titles are kept in the browser's history.
    if (view.flow !== null) document.title = `${view.flow.manifest.title[lang]} – Deniable`;
    render(<Page {...actions} {...about} view={view} lang={lang} />, root);
    guard(view);
    const stage = view.flow?.stage;
    if (!focus(view) || stage?.at !== "reveal" || !mayMove()) return;
    // Only if nobody has gone on meanwhile.
    setMoving(root, () => now.view().flow?.stage === stage && now.go({ ...stage, turning: false }));
  }

  if (channel !== null) channel.onmessage = () => void now.look();
  addEventListener("pagehide", () => now.dispatch({ is: "wipe" }));
  // Another link of the same page: what it announces is checked from the beginning.
  addEventListener("hashchange", () => location.reload());
  // A page from the back-forward cache has been wiped: begin anew.
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  draw();
  void now.load();
}

/**
 * What the document and the link announce. The link's fingerprint is public and stays in the address bar:
 * no reload, bookmark or link passed on loses the check.
 */
function placeOf(told: DOMStringMap): Place {
  const linked = new URLSearchParams(location.hash.slice(1)).get("f");
  const announced = [told.fingerprint, linked].filter(Boolean);
  const previewUrl = told.preview === undefined ? null : (told.manifestUrl ?? "");
  return { slug: told.slug ?? "", announced: announced as string[], previewUrl };
}

/** Whether this browser, here, has everything the promise needs. */
function canProtect(): boolean {
  return (
    isSecureContext &&
    typeof crypto?.getRandomValues === "function" &&
    crypto.subtle !== undefined &&
    typeof indexedDB?.open === "function" &&
    navigator.locks !== undefined &&
    typeof BroadcastChannel === "function"
  );
}

function worldOf(place: Place, safe: boolean, channel: BroadcastChannel | null): World {
  return {
    safe,
    fetching: (input, init) => fetch(input, init),
    bits: () => secureBits(),
    shelf: openShelf,
    lock: (now, act) =>
      navigator.locks.request(`deniable/${place.slug}`, { ifAvailable: now }, (lock) => act(lock !== null)),
    tell: () => channel?.postMessage(0),
    sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  };
}

/** Moves the focus to a new screen's heading, or to the first choice when an answer is missing; true: it moved. */
function focusMover(root: HTMLElement): (view: View) => boolean {
  let before: string | undefined;
  const quiet = (key: string, value: unknown) => (key === "turning" || key === "wait" ? 0 : value);
  return ({ flow, stop }) => {
    const screen =
      flow === null && stop === null ? undefined : JSON.stringify([flow?.stage, flow?.missing, stop], quiet);
    const moved = before !== undefined && screen !== before;
    before = screen;
    if (!moved) return false;
    root.querySelector<HTMLElement>(flow?.missing ? "fieldset input" : "h1")?.focus();
    if (!flow?.missing) scrollTo(0, 0);
    return true;
  };
}

/** Lets the browser's back button go one question back: one empty entry in the history, whatever was answered. */
function backGuard(back: () => void): (view: View) => void {
  let placed = false;
  addEventListener("popstate", () => {
    placed = false;
    back();
  });
  return ({ flow }) => {
    if (placed || flow?.stage.at !== "question") return;
    placed = true;
    history.pushState(null, "");
  };
}

function address(change: (url: URL) => void): void {
  const url = new URL(location.href);
  change(url);
  history.replaceState(null, "", url);
}
