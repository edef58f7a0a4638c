/** The plan beside a question: computed by the server while typing, with the very integers of publication. */
import { figures, type Plan } from "./figures.ts";
import { filledRows, typedIn } from "./question.ts";
import { coin, sector } from "./wheel.ts";

const PAUSE = 250;
const COINS_SHOWN = 16;

/** Ask for a new plan whenever something that it depends on was typed. */
export function planner(page: Document): void {
  const panel = page.querySelector<HTMLElement>("[data-plan-url]");
  const form = page.getElementById(panel?.dataset.planForm ?? "");
  if (panel === null || !(form instanceof HTMLFormElement)) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = "";
  const refresh = (): void => {
    const query = queryOf(form);
    if (query === asked) return;
    asked = query;
    void load(panel, query, () => query === asked);
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(refresh, PAUSE);
  };
  // Inputs of the panel belong to the form by their form attribute, but their events do not pass it.
  for (const part of [form, panel]) {
    part.addEventListener("input", soon);
    part.addEventListener("change", soon);
  }
  refresh();
}

/** Give the query of the plan for what the form says at this moment. */
export function queryOf(form: HTMLFormElement): string {
  const kind = typedIn(form, "kind");
  const required = form.elements.namedItem("required");
  const sure = required instanceof HTMLInputElement && required.checked;
  const silent = sure && typedIn(form, "visible_if") === "always" ? 0 : 1;
  const listed = kind === "yes_no" ? 2 : filledRows(form);
  const protocol = typedIn(form, "protocol");
  const query = new URLSearchParams({
    protocol,
    epsilon: typedIn(form, "epsilon").trim(),
    choices: String((kind === "multiple" ? 2 : listed) + silent),
  });
  if (kind === "multiple") query.set("boxes", String(listed));
  if (protocol === "coin") query.set("tosses", typedIn(form, "tosses"));
  set(query, "n", typedIn(form, "plan_n"), 1);
  set(query, "prevalence", typedIn(form, "plan_prevalence"), 100);
  set(query, "margin", typedIn(form, "plan_margin"), 100);
  return kind === "note" || listed < 2 ? "" : query.toString();
}

function set(query: URLSearchParams, name: string, typed: string, unit: number): void {
  const value = Number(typed);
  if (typed.trim() !== "" && Number.isFinite(value)) query.set(name, String(value / unit));
}

async function load(panel: HTMLElement, query: string, wanted: () => boolean): Promise<void> {
  if (query === "") {
    // Nothing to compute before there are two answers.
    show(panel, null);
    return;
  }
  const answer = await fetchPlan(`${panel.dataset.planUrl}?${query}`);
  if (wanted()) show(panel, answer.plan, answer.field);
}

type Answer = { readonly plan: Plan | null; readonly field?: string };

async function fetchPlan(address: string): Promise<Answer> {
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" } });
    const body: unknown = await response.json();
    return response.ok
      ? { plan: body as Plan }
      : { plan: null, field: (body as { field?: string }).field ?? "" };
  } catch {
    return { plan: null };
  }
}

function show(panel: HTMLElement, plan: Plan | null, field = ""): void {
  const state = panel.querySelector<HTMLElement>("[data-plan-state]");
  if (state !== null) state.textContent = plan === null ? why(state, field) : "";
  // The brief beside ε shows a few of the panel's figures once more, for narrow windows.
  const page = panel.ownerDocument;
  for (const part of page.querySelectorAll<HTMLElement>("[data-plan-figures]")) part.hidden = plan === null;
  if (plan === null) return;
  const told = figures(plan, page.documentElement.lang, panel.dataset.points ?? "");
  for (const place of page.querySelectorAll<HTMLElement>("[data-plan], [data-brief]")) {
    place.textContent = told[place.dataset.plan ?? place.dataset.brief ?? ""] ?? "–";
  }
  for (const line of panel.querySelectorAll<HTMLElement>("[data-better]")) {
    line.hidden = line.dataset.better !== plan.boxes_better;
  }
  tell(panel, plan);
  draw(page, plan);
  total(panel, plan);
}

/** Show the one sentence about the odds that is true: of a multiple choice they are those of a box. */
function tell(panel: HTMLElement, { protocol }: Plan): void {
  const boxes = ["one-box", "every-box"].includes(protocol) ? protocol : "";
  for (const line of panel.querySelectorAll<HTMLElement>("[data-odds]")) {
    line.hidden = line.dataset.odds !== boxes;
  }
}

/** Say why there is no plan: that of the field which the server named, where the page has words for it. */
function why(state: HTMLElement, field: string): string {
  const own = field === "tosses" ? state.dataset.failedTosses : undefined;
  return own ?? state.dataset.failed ?? "";
}

function draw(page: Document, plan: Plan): void {
  const { mechanism } = plan;
  const tosses = mechanism.name === "coin" ? (mechanism.tosses ?? 1) : null;
  const outcomes = 2 ** (tosses ?? mechanism.bits ?? 32);
  const few = tosses !== null && outcomes <= COINS_SHOWN;
  const path = sector(mechanism.num / outcomes);
  for (const wheel of page.querySelectorAll("[data-wheel]")) wheel.setAttribute("d", path);
  hide(page, "[data-plan-wheel]", few);
  hide(page, "[data-plan-coins]", !few);
  hide(page, "[data-plan-coin-line]", tosses === null);
  for (const place of page.querySelectorAll("[data-plan-coins]")) {
    const coins = Array.from({ length: few ? outcomes : 0 }, (_, i) => coin(page, i < mechanism.num));
    place.replaceChildren(...coins);
  }
}

function hide(page: Document, selector: string, hidden: boolean): void {
  for (const part of page.querySelectorAll<HTMLElement>(selector)) part.hidden = hidden;
}

function total(panel: HTMLElement, plan: Plan): void {
  const spent = Number(panel.dataset.others ?? "0") + Number(plan.epsilon);
  const ceiling = Number(panel.dataset.ceiling);
  const place = panel.querySelector<HTMLElement>('[data-plan="total"]');
  const bar = panel.querySelector("[data-total-bar]");
  if (place !== null) place.textContent = spent.toFixed(4);
  if (bar === null || !(ceiling > 0)) return;
  bar.setAttribute("width", Math.min(100, (100 * spent) / ceiling).toFixed(2));
  bar.setAttribute("class", spent > ceiling ? "over" : "used");
}
