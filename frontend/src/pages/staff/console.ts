/** The console of a source: keys of the editor, the place of a refusal, and waiting for an answer. */

const PAUSE = 1000;
const UNFINISHED: readonly string[] = ["charged", "running"];

/** Make what the page has of a console quicker; all of it works without. */
export function sourceConsole(page: Document): void {
  const form = page.querySelector<HTMLFormElement>("[data-console]");
  const editor = form?.elements.namedItem("sql");
  if (form !== null && editor instanceof HTMLTextAreaElement) keys(form, editor);
  if (editor instanceof HTMLTextAreaElement) refusedPlace(page, editor);
  outcome(page);
  const waiting = page.querySelector<HTMLElement>("[data-run]");
  if (waiting?.dataset.run !== undefined) wait(page, waiting.dataset.run);
}

/** Go to a plan by its heading; the jump that pages make without scripts would take the focus away again. */
function outcome(page: Document): void {
  for (const form of page.querySelectorAll<HTMLFormElement>('form[action$="#outcome"]')) {
    form.setAttribute("action", form.getAttribute("action")?.replace("#outcome", "") ?? "");
  }
  page.querySelector<HTMLElement>("#plan-heading")?.focus();
}

/** Plan by Ctrl or Command and Enter; the tab key goes on to the next field, as everywhere. */
function keys(form: HTMLFormElement, editor: HTMLTextAreaElement): void {
  editor.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector<HTMLButtonElement>('button[value="plan"]'));
  });
}

/** Select what was refused, so that typing goes on there. */
function refusedPlace(page: Document, editor: HTMLTextAreaElement): void {
  const refusal = page.querySelector<HTMLElement>("[data-refused-at]");
  if (refusal === null) return;
  const start = Number(refusal.dataset.refusedAt);
  editor.focus();
  editor.setSelectionRange(start, start + Number(refusal.dataset.refusedLength));
}

function wait(page: Document, address: string): void {
  const look = async (): Promise<void> => {
    if (await finished(address)) page.location.reload();
    else setTimeout(() => void look(), PAUSE);
  };
  setTimeout(() => void look(), PAUSE);
}

/** Say whether a run has ended; a network that fails for a moment has not ended it. */
export async function finished(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" } });
    if (!response.ok) return response.status < 500;
    const body = (await response.json()) as { readonly state?: string };
    return !UNFINISHED.includes(body.state ?? "");
  } catch {
    return false;
  }
}
