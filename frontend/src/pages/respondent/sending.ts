/** Sends what is on the shelf, again and again the same bytes, until there is a receipt or a reason to stop. */

import { type Bytes, unhex } from "../../wire/bytes.ts";
import { receiptOf } from "../../wire/seal.ts";
import type { Drawn, Event } from "./flow.ts";
import type { Kept } from "./keep.ts";
import { type Outcome, pause, post } from "./send.ts";
import type { World } from "./session.ts";

const ATTEMPTS = 6; // by itself while the server is busy

/** What sending has to do with: the outside world, this survey's place on the shelf, and the flow. */
export interface Desk {
  readonly slug: string;
  readonly world: World;
  readonly find: () => Promise<Kept | undefined>;
  readonly replace: (marker: Kept) => Promise<void>;
  readonly dispatch: (event: Event) => void;
  readonly go: (to: Drawn) => void;
}

export interface Sender {
  readonly send: () => Promise<void>;
  /** Wait no longer for the next attempt. */
  readonly hurry: () => void;
  readonly exclusively: <T>(act: () => Promise<T>) => Promise<T>;
}

/** A page's sender: while it is at work, asking it again changes nothing. */
export function sender({ slug, world, find, replace, dispatch, go }: Desk): Sender {
  let sending = false;
  let hurry = () => {};

  async function send(): Promise<void> {
    if (sending) return;
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
    const kept = await find();
    if (kept?.at !== "drawn") {
      if (kept !== undefined) dispatch({ is: "kept", kept });
      return null;
    }
    const outcome = await post(`/api/v1/surveys/${slug}/reports/`, kept.body, world.fetching);
    if (outcome.is !== "receipt") return outcome;
    const { version, expected } = await receiptFor(slug, kept.body);
    if (outcome.receipt !== expected) return { is: "$receiptWrong" };
    // From here on the key is nowhere: only the marker stays.
    await replace({ slug, at: "sent", version, receipt: expected });
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

  return { send, hurry: () => hurry(), exclusively };
}

async function receiptFor(slug: string, body: string): Promise<{ version: number; expected: string }> {
  const { version, reports, key } = JSON.parse(body) as { version: number; reports: string[]; key: string };
  return { version, expected: await receiptOf(slug, version, unbase64url(key), unhex(reports.join(""))) };
}

function unbase64url(text: string): Bytes {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
}
