// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from "vitest";
import { figures, type Plan } from "./figures.ts";
import { planner, queryOf } from "./planner.ts";
import { filledRows, questionForm } from "./question.ts";
import { warnings } from "./warnings.ts";
import { sector } from "./wheel.ts";

const plan: Plan = {
  protocol: "spinner",
  epsilon: "1.0987",
  p: 0.75,
  delta: 0.5,
  odds: 75,
  prevalence: 0.1,
  blind_rate: 0.9,
  guess_rate: 0.9,
  posterior_bound: 0.25,
  factor_direct: 9.333,
  expected_margin: 0.0568,
  direct_margin: 0.0186,
  central_margin: null,
  one_liar: 0.002,
  n_needed: 3586,
  boxes_better: null,
  mechanism: { name: "spinner", num: 3221225472, bits: 32 },
};

/** Build the part of the question page that the scripts touch. */
function page(kind = "yes_no"): HTMLFormElement {
  document.documentElement.lang = "en";
  document.body.innerHTML = `<form id="question-form" data-question-form>
    <select name="kind"><option>yes_no</option><option>single</option><option>multiple</option><option>note</option></select>
    <fieldset data-kinds="single multiple"><ol data-answers><li><input type="hidden" name="answer_id" value="c1">
    <input type="text" name="answer_ko" data-label="보기 {number}"><input type="text" name="answer_en" value="never"></li>
    <li><input type="hidden" name="answer_id"><input type="text" name="answer_ko" data-label="보기 {number}">
    <input type="text" name="answer_en"></li></ol></fieldset>
    <input type="checkbox" name="required" checked><input type="hidden" name="visible_if" value="always">
    <select name="protocol"><option>spinner</option><option>coin</option><option data-boxes>one-box</option></select>
    <input name="epsilon" value="ln(3)"><div data-protocols="coin"><input name="tosses"></div></form>
    <aside data-plan-url="/plan" data-plan-form="question-form" data-others="1" data-ceiling="2">
    <p data-plan-state data-failed="no"></p><div data-plan-figures hidden><p data-odds=""></p><p data-odds="one-box" hidden></p><b data-plan="odds"></b><b data-plan="total"></b></div>
    <svg><path data-wheel/><rect data-total-bar/></svg><div data-plan-coins></div></aside>`;
  const form = document.querySelector("form") as HTMLFormElement;
  choose(form, "kind", kind);
  return form;
}

function choose(form: HTMLFormElement, name: string, value: string): void {
  (form.elements.namedItem(name) as HTMLSelectElement).value = value;
  form.dispatchEvent(new Event("change", { bubbles: true }));
}

afterEach(() => vi.unstubAllGlobals());

describe("the wheel", () => {
  test("is cut where the server cuts it", () => {
    expect(sector(0.75)).toBe("M60 60V6A54 54 0 1 1 6.000 60.000Z");
    expect(sector(0.25)).toBe("M60 60V6A54 54 0 0 1 114.000 60.000Z");
  });
});

describe("the figures", () => {
  test("are written for people, and a dash stands for what is not known", () => {
    const told = figures(plan, "en", "points");
    expect(told).toMatchObject({
      odds: "75",
      p: "75.0 %",
      prevalence: "10 %",
      guess_rate: "90.0 %",
      blind_rate: "90.0 %",
      expected_margin: "± 5.7 points",
      central_margin: "–",
      n_needed: "3,586",
      factor_direct: "9.3 ×",
      num: "3,221,225,472",
    });
  });
});

describe("the question asked of the planner", () => {
  test("counts silence as one more answer unless an answer is required of everybody", () => {
    const form = page();
    expect(queryOf(form)).toContain("choices=2");
    (form.elements.namedItem("required") as HTMLInputElement).checked = false;
    expect(queryOf(form)).toContain("choices=3");
  });

  test("waits for a second answer, and is not put for a note", () => {
    expect(queryOf(page("single"))).toBe("");
    expect(queryOf(page("note"))).toBe("");
  });
});

describe("the question form", () => {
  test("grows a row while the last one is typed, with no id of its own", () => {
    const form = page("single");
    questionForm(document);
    const last = form.querySelectorAll<HTMLInputElement>('[name="answer_en"]')[1] as HTMLInputElement;
    last.value = "often";
    last.dispatchEvent(new Event("input", { bubbles: true }));
    expect(filledRows(form)).toBe(2);
    const rows = form.querySelectorAll("li");
    expect(rows).toHaveLength(3);
    expect(rows[2]?.querySelector('[name="answer_ko"]')?.getAttribute("aria-label")).toBe("보기 3");
    expect(rows[2]?.querySelector<HTMLInputElement>('[name="answer_id"]')?.value).toBe("");
  });

  test("offers boxes to multiple choice only", () => {
    const form = page();
    questionForm(document);
    choose(form, "kind", "multiple");
    const protocol = form.elements.namedItem("protocol") as HTMLSelectElement;
    expect(protocol.value).toBe("one-box");
    choose(form, "kind", "single");
    expect(protocol.value).toBe("spinner");
    expect(protocol.options[2]?.disabled).toBe(true);
  });

  test("tosses one coin unless told otherwise", () => {
    const form = page();
    questionForm(document);
    choose(form, "protocol", "coin");
    expect((form.elements.namedItem("tosses") as HTMLInputElement).value).toBe("1");
  });
});

describe("the plan beside the question", () => {
  test("is shown with the total, and put away when the server refuses", async () => {
    const form = page();
    const answers = [Response.json(plan), new Response("{}", { status: 400 })];
    const fetched = vi.fn(async () => answers.shift() as Response);
    vi.stubGlobal("fetch", fetched);
    planner(document);
    await vi.waitFor(() => expect(document.querySelector('[data-plan="odds"]')?.textContent).toBe("75"));
    expect(document.querySelector('[data-plan="total"]')?.textContent).toBe("2.0987");
    expect(document.querySelector("[data-total-bar]")?.getAttribute("class")).toBe("over");
    choose(form, "protocol", "coin");
    await vi.waitFor(() => expect(document.querySelector("[data-plan-state]")?.textContent).toBe("no"));
    expect(document.querySelector<HTMLElement>("[data-plan-figures]")?.hidden).toBe(true);
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  test("tells the odds of a multiple choice as those of a box", async () => {
    page("multiple");
    const boxes = { ...plan, protocol: "one-box" };
    vi.stubGlobal("fetch", async () => Response.json(boxes));
    for (const input of document.querySelectorAll<HTMLInputElement>('[name="answer_en"]')) input.value = "x";
    planner(document);
    const shown = () =>
      [...document.querySelectorAll<HTMLElement>("[data-odds]")].map(({ hidden }) => hidden);
    expect(shown()).toEqual([false, true]);
    await vi.waitFor(() => expect(shown()).toEqual([true, false]));
  });
});

describe("the brief above ε, for narrow windows", () => {
  test("shows figures and wheel of the plan once more", async () => {
    const form = page();
    form.insertAdjacentHTML(
      "afterbegin",
      `<div data-plan-figures hidden><b data-brief="odds"></b><svg><path data-wheel/></svg></div>`,
    );
    const fetched = vi.fn(async () => Response.json(plan));
    vi.stubGlobal("fetch", fetched);
    planner(document);
    const brief = form.querySelector<HTMLElement>("[data-plan-figures]");
    await vi.waitFor(() => expect(brief?.querySelector("[data-brief]")?.textContent).toBe("75"));
    expect(brief?.hidden).toBe(false);
    expect(brief?.querySelector("path")?.getAttribute("d")).toBe(sector(0.75));
  });
});

describe("the warnings beside what is typed", () => {
  test("come while typing and go when they are heeded", async () => {
    const form = page();
    form.dataset.warningsUrl = "/warnings";
    form.insertAdjacentHTML("beforeend", `<div class="field"><textarea id="id_text_en"></textarea></div>`);
    const answers = [Response.json({ text_en: ["a name"] }), Response.json({})];
    const fetched = vi.fn(async () => answers.shift() as Response);
    vi.stubGlobal("fetch", fetched);
    warnings(document);
    const text = document.getElementById("id_text_en") as HTMLTextAreaElement;
    text.dispatchEvent(new Event("input", { bubbles: true }));
    await vi.waitFor(() => expect(text.nextElementSibling?.textContent).toBe("a name"), 3000);
    expect(text.getAttribute("aria-describedby")).toBe("id_text_en_warnings");
    text.dispatchEvent(new Event("input", { bubbles: true }));
    const told = text.nextElementSibling as HTMLElement;
    await vi.waitFor(() => expect(told.hidden).toBe(true), 3000);
  });
});

describe("a condition", () => {
  test("is ticked only where the question is not for everybody", () => {
    const form = page();
    form.insertAdjacentHTML("beforeend", `<div data-conditions></div>`);
    const mode = form.elements.namedItem("visible_if") as HTMLInputElement;
    const ticks = form.querySelector<HTMLElement>("[data-conditions]");
    questionForm(document);
    expect(ticks?.hidden).toBe(true);
    mode.value = "any";
    form.dispatchEvent(new Event("change", { bubbles: true }));
    expect(ticks?.hidden).toBe(false);
  });
});
