// @vitest-environment happy-dom
/** The console: a plan is gone to, and a run that goes on is not ended by a network that fails. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { finished, sourceConsole } from "./console.ts";

const answers = (status: number, body: unknown): void => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status }));
};

afterEach(() => vi.unstubAllGlobals());

describe("a plan", () => {
  it("has the focus at its heading, and no jump takes it away", () => {
    document.body.innerHTML =
      '<form action="/sources/service/#outcome"></form><h2 id="plan-heading" tabindex="-1">Plan</h2>';
    sourceConsole(document);
    expect(document.activeElement?.id).toBe("plan-heading");
    expect(document.querySelector("form")?.getAttribute("action")).toBe("/sources/service/");
  });
});

describe("a run", () => {
  it.each(["charged", "running"])("that is %s has not ended", async (state) => {
    answers(200, { state });
    expect(await finished("/api/v1/queries/1/")).toBe(false);
  });

  it.each(["done", "failed"])("that is %s has ended", async (state) => {
    answers(200, { state });
    expect(await finished("/api/v1/queries/1/")).toBe(true);
  });

  it("is looked for again while the server fails or cannot be reached", async () => {
    answers(503, {});
    expect(await finished("/api/v1/queries/1/")).toBe(false);
    vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("offline")));
    expect(await finished("/api/v1/queries/1/")).toBe(false);
  });

  it("that may no longer be read is left to the page to say so", async () => {
    answers(403, {});
    expect(await finished("/api/v1/queries/1/")).toBe(true);
  });
});
