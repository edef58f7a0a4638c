/** The page's effects around the flow: load and check, draw once and keep; sending has a file of its own. */

import type { Bits } from "../../privacy/bits.ts";
import { truthsOf } from "../../wire/answers.ts";
import { bodyOf } from "../../wire/report.ts";
import { newKey } from "../../wire/seal.ts";
import { type Draw, drawOnce } from "./draw.ts";
import { type Drawn, type Event, type Flow, flowAfter, given, type Stop } from "./flow.ts";
import type { Kept, Shelf } from "./keep.ts";
import { opened } from "./opening.ts";
import { sender } from "./sending.ts";

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

export function session(place: Place, world: World, changed: () => void): Session {
  let view: View = { flow: null, stop: null };
  let shelf: Shelf | null = null;

  const show = (next: View) => {
    view = next;
    changed();
  };
  const stop = (why: Stop) => show({ flow: null, stop: why });
  const dispatch = (event: Event) => {
    if (view.flow !== null) show({ flow: flowAfter(view.flow, event), stop: null });
  };
  const go = (to: Drawn) => dispatch({ is: "go", to });
  const find = async () => shelf?.find(place.slug);
  const replace = async (marker: Kept) => shelf?.replace(marker);
  const { exclusively, ...sending } = sender({ slug: place.slug, world, find, replace, dispatch, go });

  async function load(): Promise<void> {
    if (!world.safe) return stop("$unsafe");
    let kept: Kept | undefined;
    try {
      if (place.previewUrl === null) shelf = await world.shelf();
      kept = await find();
    } catch {
      return stop("$unsafe");
    }
    const flow = await opened(place, kept, world.fetching);
    if (typeof flow === "object") show({ flow, stop: null });
    else stop(flow);
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

  async function erase(): Promise<void> {
    await exclusively(async () => {
      if ((await find())?.at === "drawn") await replace({ slug: place.slug, at: "erased" });
    });
    world.tell();
    await look();
  }

  /** See what another tab has put on the shelf. */
  async function look(): Promise<void> {
    const kept = await find();
    if (kept !== undefined) dispatch({ is: "kept", kept });
  }

  async function send(): Promise<void> {
    if (shelf !== null && view.flow?.body) await sending.send();
  }

  return { view: () => view, dispatch, go, load, draw, erase, look, ...sending, send };
}

/** In a function of its own: when it returns, nothing refers to the truths any more. */
function drawOf(flow: Flow, bits: Bits): Draw {
  return drawOnce(flow.manifest, truthsOf(flow.manifest, given(flow.answers)), bits);
}
