/** Warnings beside the fields of a question while it is typed: the server's own, as after saving. */

const PAUSE = 600;
const FIELDS = ["text_ko", "text_en", "choices", "epsilon"] as const;

/** Ask for the warnings whenever typing pauses. */
export function warnings(page: Document): void {
  const form = page.querySelector<HTMLFormElement>("[data-warnings-url]");
  const address = form?.dataset.warningsUrl;
  if (form === null || address === undefined) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const ask = async (): Promise<void> => {
    asked += 1;
    const own = asked;
    const told = await load(address, form);
    if (told !== null && own === asked) show(page, told);
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), PAUSE);
  };
  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
}

type Told = Readonly<Record<string, readonly string[]>>;

async function load(address: string, form: HTMLFormElement): Promise<Told | null> {
  try {
    const response = await fetch(address, { method: "POST", body: new FormData(form) });
    return response.ok ? ((await response.json()) as Told) : null;
  } catch {
    // They come with the next save.
    return null;
  }
}

function show(page: Document, told: Told): void {
  for (const field of FIELDS) {
    const control = page.getElementById(`id_${field}`);
    const messages = told[field] ?? [];
    if (control !== null) list(page, control, messages);
  }
}

function list(page: Document, control: HTMLElement, messages: readonly string[]): void {
  const id = `${control.id}_warnings`;
  const before = page.getElementById(id);
  if (before === null && messages.length === 0) return;
  const place = before ?? added(page, control, id);
  place.hidden = messages.length === 0;
  place.replaceChildren(
    ...messages.map((message) => {
      const item = page.createElement("li");
      item.textContent = message;
      return item;
    }),
  );
}

function added(page: Document, control: HTMLElement, id: string): HTMLElement {
  const place = page.createElement("ul");
  place.id = id;
  place.className = "warnings";
  place.setAttribute("role", "status");
  (control.closest(".field, fieldset") ?? control).append(place);
  const described = control.getAttribute("aria-describedby");
  control.setAttribute("aria-describedby", described === null ? id : `${described} ${id}`);
  return place;
}
