/** The survey as the page may show it, or why it may not. */

import { PrivacyError } from "../../privacy/errors.ts";
import { type Manifest, manifestOpen } from "../../wire/manifest.ts";
import type { Stop } from "./flow.ts";
import type { Kept } from "./keep.ts";
import type { Place } from "./session.ts";

/** The checked manifest, or why there is none. */
export async function manifestAt(place: Place, fetching: typeof fetch): Promise<Manifest | Stop> {
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
export function shut({ state }: Manifest, kept: Kept | undefined): Stop | null {
  if (state === "closed") return "$closed";
  return state === "paused" && kept === undefined ? "$paused" : null;
}
