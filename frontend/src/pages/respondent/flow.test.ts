/** The course of an answer: branching, what is required, what is forgotten, and that nothing is drawn twice. */

import { expect, test } from "vitest";
import { byteBits } from "../../privacy/bits.ts";
import { truthsOf } from "../../wire/answers.ts";
import { bodyOf } from "../../wire/report.ts";
import { survey } from "./cast.ts";
import { drawOnce, isOwn } from "./draw.ts";
import { type Event, type Flow, flowAfter, flowStart, given, progress } from "./flow.ts";

const after = (flow: Flow, ...events: readonly Event[]) => events.reduce(flowAfter, flow);
const next: Event = { is: "next" };
const back: Event = { is: "back" };
const pick = (question: number, answer: Flow["answers"][number]): Event => ({ is: "pick", question, answer });
const start = () => flowStart(survey);
const stages = (flow: Flow) => JSON.stringify(flow.stage);
const body = bodyOf(1, ["00", "00", "0000"], new Uint8Array(32));
const turns = drawOnce(survey, truthsOf(survey, [0, 0, null, [1]]), byteBits(new Uint8Array(64))).turns;
const kept = { slug: "cast", at: "drawn", fingerprint: survey.fingerprint, body } as const;

test("a required question is not passed without an answer", () => {
  const flow = after(start(), next, next);
  expect(flow.stage).toEqual({ at: "question", question: 0 });
  expect(flow.missing).toBe(true);
  expect(after(flow, pick(0, 1)).missing).toBe(false);
});

test("a question is asked only when its condition holds, and the way back skips it too", () => {
  const no = after(start(), next, pick(0, 1), next);
  expect(no.stage).toEqual({ at: "question", question: 2 });
  expect(after(no, back).stage).toEqual({ at: "question", question: 0 });
  expect(after(start(), next, pick(0, 0), next).stage).toEqual({ at: "question", question: 1 });
});

test("back and forth at will keeps what was answered, up to the draw", () => {
  const ready = after(start(), next, pick(0, 1), next, next, next);
  expect(ready.stage).toEqual({ at: "ready" });
  const again = after(ready, back, back, back);
  expect(again.stage).toEqual({ at: "question", question: 0 });
  expect(again.answers[0]).toBe(1);
  expect(after(again, back).stage).toEqual({ at: "welcome" });
});

test("an answer to a question that is hidden later does not count", () => {
  const flow = after(start(), next, pick(0, 0), next, pick(1, 0), back, pick(0, 1));
  expect(truthsOf(survey, given(flow.answers))).toEqual([1, 2, [2, 2, 2]]);
});

test("notes are not counted as questions, and what is skipped neither shrinks the bar nor its end", () => {
  expect(progress(start(), 3)).toEqual({ n: 2, place: 3, total: 3 });
  expect(progress(after(start(), pick(0, 0)), 3)).toEqual({ n: 3, place: 3, total: 3 });
  expect(progress(start(), 0)).toEqual({ n: 1, place: 1, total: 3 });
});

const drawn: Event = { is: "drawn", body, turns };
const answered = () => after(start(), next, pick(0, 0), next, pick(1, 1), next, next, pick(3, [1]), next);

test("the draw forgets the answers at once", () => {
  const flow = after(answered(), { is: "go", to: { at: "drawing" } }, drawn);
  expect(flow.answers).toEqual([undefined, undefined, undefined, undefined]);
  expect(flow.stage).toEqual({ at: "reveal", turn: 0, turning: true });
});

test("without wheels the draw goes straight to the review, and nothing tells the truth any more", () => {
  const flow = after(answered(), { is: "plain", plain: true }, drawn);
  expect(flow.stage).toEqual({ at: "review" });
  expect(flow.turns).toEqual([]);
});

test("what the wheels showed is forgotten as soon as it has been shown", () => {
  const last = after(answered(), drawn, { is: "go", to: { at: "reveal", turn: 2, turning: true } });
  expect(last.turns).toHaveLength(3);
  const review = after(last, { is: "go", to: { at: "reveal", turn: 3, turning: true } });
  expect(review.stage).toEqual({ at: "review" });
  expect(review.turns).toEqual([]);
});

test.each(["question", "ready", "reveal"])("leaving the page at the %s leaves no answer in memory", (at) => {
  const flow = {
    question: after(start(), next, pick(0, 0)),
    ready: answered(),
    reveal: after(answered(), drawn),
  }[at];
  const wiped = after(flow as Flow, { is: "wipe" });
  expect(wiped.answers.every((answer) => answer === undefined)).toBe(true);
  expect(wiped.turns).toEqual([]);
  expect(wiped.stage.at).toBe(at === "reveal" ? "review" : "welcome");
});

/** Every event that a screen can cause. */
const everyEvent: readonly Event[] = [
  ...[next, back, { is: "wipe" } as const, pick(0, 1), { is: "plain", plain: true } as const],
  { is: "drawn", body: body.replace('"00"', '"01"'), turns },
  { is: "kept", kept },
  ...(["drawing", "review", "left"] as const).map((at): Event => ({ is: "go", to: { at } })),
  { is: "go", to: { at: "reveal", turn: 0, turning: true } },
  { is: "go", to: { at: "sending", wait: 3 } },
  { is: "go", to: { at: "unsent", why: "$network" } },
  { is: "go", to: { at: "stopped", why: "$refused" } },
];

/** The bodies and stages that can be reached from a drawn report in so many events. */
function reachable(step: typeof flowAfter, depth = 3): { bodies: Set<string | null>; stages: Set<string> } {
  let flows = [after(answered(), drawn)];
  for (let n = 0; n < depth; n++) {
    const fresh = flows.flatMap((flow) => everyEvent.map((event) => step(flow, event)));
    flows = [...new Map(fresh.map((flow) => [stages(flow) + flow.body, flow])).values()];
  }
  return {
    bodies: new Set(flows.map((flow) => flow.body)),
    stages: new Set(flows.map(({ stage }) => stage.at)),
  };
}

test("no event draws again or leads back to the questions", () => {
  const { bodies, stages: reached } = reachable(flowAfter);
  expect([...bodies]).toEqual([body]);
  for (const at of ["welcome", "question", "ready"]) expect(reached.has(at)).toBe(false);
});

test("control: a form that draws again is caught", () => {
  const redrawing: typeof flowAfter = (flow, event) =>
    event.is === "drawn" ? flowAfter({ ...flow, body: null }, event) : flowAfter(flow, event);
  expect(reachable(redrawing).bodies.size).toBe(2);
});

test("control: a server's refusal that opens the form again is caught", () => {
  const reopening: typeof flowAfter = (flow, event) =>
    event.is === "go" && event.to.at === "stopped" ? flowStart(flow.manifest) : flowAfter(flow, event);
  expect(reachable(reopening).stages.has("welcome")).toBe(true);
});

test("what another tab has kept takes the place of this tab's answers", () => {
  const flow = after(answered(), { is: "kept", kept });
  expect(flow).toMatchObject({ stage: { at: "review" }, body, from: "before" });
  expect(flow.answers.every((answer) => answer === undefined)).toBe(true);
});

test("a report of an earlier version is kept as it is and not read by the new one", () => {
  const older = { ...kept, fingerprint: "1".repeat(64) };
  expect(after(start(), { is: "kept", kept: older })).toMatchObject({
    body,
    from: "unread",
  });
});

test("a device that has answered or erased its report never sees the form again", () => {
  const sent = { slug: "cast", at: "sent", version: 1, receipt: "ab" } as const;
  expect(after(start(), { is: "kept", kept: sent }).stage.at).toBe("receipt");
  const erased = { slug: "cast", at: "erased" } as const;
  expect(after(start(), { is: "kept", kept: erased }).stage.at).toBe("erased");
});

test("the wheels show the very words by which the draw was made", () => {
  const seeds = Array.from({ length: 200 }, (_, seed) =>
    Uint8Array.from({ length: 128 }, (_, at) => (seed * 73 + at * (at + seed) * 31 + (seed >> 3)) & 255),
  );
  for (const seed of seeds) {
    const truths = [0, 1, [0, 1, 2]] as const;
    const draw = drawOnce(survey, truths, byteBits(seed));
    for (const { question, mechanism, report, words } of draw.turns) {
      const [box, answer] = typeof report === "number" ? [null, report] : [report[0] as number, report[1]];
      const truth = box === null ? truths[question as 0 | 1] : truths[2][box as 0 | 1 | 2];
      // A spinner's report is the truth exactly when the pointer is on the bright part.
      expect(answer === truth).toBe(isOwn(mechanism, words[0] as number));
    }
  }
});
