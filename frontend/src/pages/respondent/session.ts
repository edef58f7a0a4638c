/** The page's effects around the flow: load and check, draw once, keep, send the same bytes until a receipt. */

import type { Bits } from "../../privacy/bits.ts";
import { PrivacyError } from "../../privacy/errors.ts";
import { truthsOf } from "../../wire/answers.ts";
import { type Bytes, unhex } from "../../wire/bytes.ts";
import { type Manifest, manifestOpen } from "../../wire/manifest.ts";
import { bodyOf } from "../../wire/report.ts";
import { newKey, receiptOf } from "../../wire/seal.ts";
import { type Draw, drawOnce } from "./draw.ts";
import { type Drawn, type Event, type Flow, flowAfter, flowStart, given, type Stop } from "./flow.ts";
import type { Kept, Shelf } from "./keep.ts";
import { type Outcome, pause, post } from "./send.ts";

/** What the page was told by the document it came in. */
export interface Place {
  readonly slug: string;
  /** The fingerprints announced by the page and by the link; all must fit. */
  readonly announced: readonly string[];
  /** Where a preview finds its manifest; null in a real survey. */
  readonly previewUrl: string | null;
}

/** The outside world, so that tests can bring another. */
export interface World {
  /** The browser has all that the promise needs. */
  readonly safe: boolean;
  readonly fetching: typeof fetch;
  readonly bits: () => Bits;
  readonly shelf: () => Promise<Shelf>;
  /** One holder at a time over all tabs; null is passed instead when it is taken and `now` is asked for. */
  readonly lock: <T>(now: boolean, act: (held: boolean) => Promise<T>) => Promise<T>;
  /** Tell the other tabs that the shelf has changed. */
  readonly tell: () => void;
  /** Resolves after this many seconds. */
  readonly sleep: (seconds: number) => Promise<void>;
}

export interface View {
  readonly flow: Flow | null;
  readonly stop: Stop | null;
}

export interface Session {
  readonly view: () => View;
  readonly dispatch: (event: Event) => void;
  readonly go: (to: Drawn) => void;
  readonly load: () => Promise<void>;
  readonly draw: () => Promise<void>;
  readonly send: () => Promise<void>;
  readonly hurry: () => void;
  readonly erase: () => Promise<void>;
  readonly look: () => Promise<void>;
}

const ATTEMPTS = 6; // by itself while the server is busy

export function session(place: Place, world: World, changed: () => void): Session {
  let view: View = { flow: null, stop: null };
  let shelf: Shelf | null = null;
  let sending = false;
  let hurry = () => {};

  const show = (next: View) => {
    view = next;
    changed();
  };
  const stop = (why: Stop) => show({ flow: null, stop: why });
  const dispatch = (event: Event) => {
    if (view.flow !== null) show({ flow: flowAfter(view.flow, event), stop: null });
  };
  const go = (to: Drawn) => dispatch({ is: "go", to });

  async function load(): Promise<void> {
    if (!world.safe) return stop("$unsafe");
    let kept: Kept | undefined;
    try {
      if (place.previewUrl === null) shelf = await world.shelf();
      kept = await shelf?.find(place.slug);
    } catch {
      return stop("$unsafe");
    }
    const found = await manifestAt(place, world.fetching);
    if (typeof found !== "object") return stop(found);
    const why = kept?.at === "sent" || place.previewUrl !== null ? null : shut(found, kept);
    if (why !== null) return stop(why);
    const flow = flowStart(found);
    show({ flow: kept ? flowAfter(flow, { is: "kept", kept }) : flow, stop: null });
  }

  async function draw(): Promise<void> {
    const flow = view.flow;
    if (flow?.stage.at !== "ready") return;
    go({ at: "drawing" });
    try {
      const { turns, reports } = drawOf(flow, world.bits());
      // The truths are out of reach from here on.
      dispatch({ is: "wipe" });
      const body = bodyOf(flow.manifest.version, reports, newKey());
      const { slug, fingerprint } = flow.manifest;
      const mine: Kept = { slug, at: "drawn", fingerprint, body };
      const kept = shelf === null ? mine : await shelf.addOnce(mine);
      world.tell();
      // Of two tabs the first to store has drawn; the other's draw was never shown.
      if (kept.at === "drawn" && kept.body === body) dispatch({ is: "drawn", body, turns });
      else dispatch({ is: "kept", kept });
    } catch {
      stop("$broken");
    }
  }

  async function send(): Promise<void> {
    if (sending || shelf === null || view.flow?.body === null) return;
    sending = true;
    try {
      await attempts();
    } catch {
      go({ at: "unsent", why: "$server" });
    } finally {
      sending = false;
    }
  }

  async function attempts(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      go({ at: "sending", wait: null });
      const outcome = await exclusively(attemptOnce);
      if (outcome?.is !== "busy") return conclude(outcome);
      if (attempt === ATTEMPTS) return conclude({ is: "$server" });
      const wait = pause(attempt, outcome.seconds);
      go({ at: "sending", wait });
      const hurried = new Promise<void>((resolve) => {
        hurry = resolve;
      });
      await Promise.race([hurried, world.sleep(wait)]);
    }
  }

  /** Under the lock, so that of several tabs one sends at a time and the others see what came of it. */
  async function exclusively<T>(act: () => Promise<T>): Promise<T> {
    const tried = await world.lock(true, async (held) => (held ? { value: await act() } : null));
    if (tried !== null) return tried.value;
    go({ at: "sending", wait: "other" });
    return world.lock(false, act);
  }

  /** Sends what is on the shelf and nothing else; null when another tab has come to an end meanwhile. */
  async function attemptOnce(): Promise<Outcome | null> {
    const kept = await shelf?.find(place.slug);
    if (kept?.at !== "drawn") {
      if (kept !== undefined) dispatch({ is: "kept", kept });
      return null;
    }
    const outcome = await post(`/api/v1/surveys/${place.slug}/reports/`, kept.body, world.fetching);
    if (outcome.is !== "receipt") return outcome;
    const { version, expected } = await receiptFor(place.slug, kept.body);
    if (outcome.receipt !== expected) return { is: "$receiptWrong" };
    // From here on the key is nowhere: only the marker stays.
    await shelf?.replace({ slug: place.slug, at: "sent", version, receipt: expected });
    world.tell();
    return outcome;
  }

  function conclude(outcome: Exclude<Outcome, { is: "busy" }> | null): void {
    if (outcome === null) return;
    const { is } = outcome;
    if (is === "receipt") go({ at: "receipt", receipt: outcome.receipt, earlier: false });
    else if (is === "$network" || is === "$server" || is === "$receiptWrong") go({ at: "unsent", why: is });
    else go({ at: "stopped", why: is });
  }

  async function erase(): Promise<void> {
    await exclusively(async () => {
      if ((await shelf?.find(place.slug))?.at === "drawn")
        await shelf?.replace({ slug: place.slug, at: "erased" });
    });
    world.tell();
    await look();
  }

  /** See what another tab has put on the shelf. */
  async function look(): Promise<void> {
    const kept = await shelf?.find(place.slug);
    if (kept !== undefined) dispatch({ is: "kept", kept });
  }

  return { view: () => view, dispatch, go, load, draw, send, hurry: () => hurry(), erase, look };
}

/** In a function of its own: when it returns, nothing refers to the truths any more. */
function drawOf(flow: Flow, bits: Bits): Draw {
  return drawOnce(flow.manifest, truthsOf(flow.manifest, given(flow.answers)), bits);
}

async function manifestAt(place: Place, fetching: typeof fetch): Promise<Manifest | Stop> {
  const url = place.previewUrl ?? `/api/v1/surveys/${place.slug}/`;
  let row: unknown;
  try {
    // A preview is for the designer alone, so it needs the designer's session.
    const credentials = place.previewUrl === null ? "omit" : "same-origin";
    const response = await fetching(url, { credentials, referrerPolicy: "no-referrer" });
    if (response.status === 404) return "$missing";
    if (!response.ok) return "$offline";
    row = await response.json();
  } catch {
    return "$offline";
  }
  return checked(row, place);
}

async function checked(row: unknown, { announced, slug, previewUrl }: Place): Promise<Manifest | Stop> {
  try {
    const manifest = await manifestOpen(row);
    const same = announced.every((fingerprint) => fingerprint === manifest.fingerprint);
    return same && (previewUrl !== null || manifest.slug === slug) ? manifest : "$mismatch";
  } catch (error) {
    return reason(error instanceof PrivacyError ? error.code : "");
  }
}

function reason(code: string): Stop {
  if (code.startsWith("fingerprint")) return "$mismatch";
  return code === "insecure-context" ? "$unsafe" : "$unsound";
}

/** Why nobody can answer now: a paused survey still takes what was drawn before. */
function shut({ state }: Manifest, kept: Kept | undefined): Stop | null {
  if (state === "closed") return "$closed";
  return state === "paused" && kept === undefined ? "$paused" : null;
}

async function receiptFor(slug: string, body: string): Promise<{ version: number; expected: string }> {
  const { version, reports, key } = JSON.parse(body) as { version: number; reports: string[]; key: string };
  return { version, expected: await receiptOf(slug, version, unbase64url(key), unhex(reports.join(""))) };
}

function unbase64url(text: string): Bytes {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
}
