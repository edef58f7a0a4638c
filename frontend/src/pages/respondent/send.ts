/** One attempt to send a body, and what its outcome means. */

import type { Unsent } from "./flow.ts";

type Refusal = "$refused" | "$reused" | "$closed" | "$missing";

export type Outcome =
  | { readonly is: "receipt"; readonly receipt: string }
  | { readonly is: "busy"; readonly seconds: number }
  | { readonly is: Unsent | Refusal };

const PATIENCE = 30_000; // ms until an attempt counts as unreachable

/** Posts exactly this body, without cookies or referrer; never throws. */
export async function post(url: string, body: string, fetching: typeof fetch = fetch): Promise<Outcome> {
  try {
    const response = await fetching(url, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE),
    });
    const answer = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
    return meaning(response.status, answer, response.headers.get("Retry-After"));
  } catch {
    return { is: "$network" };
  }
}

/** What a status and its problem type mean for the bytes on this device. */
export function meaning(
  status: number,
  answer: Readonly<Record<string, unknown>>,
  retryAfter: string | null,
): Outcome {
  if (status === 200 || status === 201) return { is: "receipt", receipt: String(answer.receipt) };
  if (status === 429 || status === 503) return { is: "busy", seconds: Number(retryAfter) || 0 };
  if (status === 404) return { is: "$missing" };
  if (status === 409) return { is: conflict(String(answer.type)) };
  return { is: status >= 400 && status < 500 && status !== 408 ? "$refused" : "$server" };
}

/** Seconds until the next attempt by itself: at least what the server asked for, doubling, at most a minute. */
export function pause(attempt: number, asked: number): number {
  return Math.min(60, Math.max(asked, 2 ** Math.min(attempt, 6)));
}

function conflict(type: string): Refusal {
  return type.endsWith("closed") ? "$closed" : "$reused";
}
