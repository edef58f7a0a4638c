/** The survey as the page may show it, or why it may not. */

import { PrivacyError } from "../../privacy/errors.ts";
import { type Manifest, manifestOpen } from "../../wire/manifest.ts";
import { type Flow, flowAfter, flowStart, type Stop } from "./flow.ts";
import type { Kept } from "./keep.ts";
import type { Place } from "./session.ts";

/** What the page begins with, given what this device keeps: the questions, a report to send, or why neither. */
export async function opened(
  place: Place,
  kept: Kept | undefined,
  fetching: typeof fetch,
): Promise<Flow | Stop> {
  const latest = await manifestAt(place, fetching);
  const older = kept?.at === "drawn" ? await olderAt(place, kept, latest, fetching) : null;
  const manifest = older ?? latest;
  if (typeof manifest !== "object") return manifest;
  const why = kept?.at === "sent" || place.previewUrl !== null ? null : shut(manifest, kept);
  if (kept === undefined) return why ?? flowStart(manifest);
  const flow = flowAfter(flowStart(manifest), { is: "kept", kept });
  const told: Flow = older ? { ...flow, from: "older" } : flow;
  return why === null ? told : flowAfter(told, { is: "go", to: { at: "stopped", why } });
}

/** The version that a report was drawn under, by the fingerprint kept with it, where that is not the latest. */
async function olderAt(
  place: Place,
  { fingerprint, body }: Extract<Kept, { at: "drawn" }>,
  latest: Manifest | Stop,
  fetching: typeof fetch,
): Promise<Manifest | null> {
  // Nothing is asked of who opens the link of that version again: the report is drawn.
  const changed =
    typeof latest === "object"
      ? latest.fingerprint !== fingerprint
      : latest === "$mismatch" && place.announced.includes(fingerprint);
  if (!changed) return null;
  const { version } = JSON.parse(body) as { version: number };
  const older = await manifestAt({ ...place, announced: [fingerprint] }, fetching, `?version=${version}`);
  return typeof older === "object" ? older : null;
}

/** The checked manifest, or why there is none. */
async function manifestAt(place: Place, fetching: typeof fetch, query = ""): Promise<Manifest | Stop> {
  const url = place.previewUrl ?? `/api/v1/surveys/${place.slug}/${query}`;
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
