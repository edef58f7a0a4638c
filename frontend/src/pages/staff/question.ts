/** The question form: fields of other kinds are put away, rows of answers grow while typing. */

/** Make a question form react; without this the server shows the same fields after a press. */
export function questionForm(page: Document): void {
  const form = page.querySelector<HTMLFormElement>("[data-question-form]");
  if (form === null) return;
  form.addEventListener("change", () => fitFields(page, form));
  form.addEventListener("input", (event) => grow(form, event.target));
  form.querySelector("[data-more-answers]")?.addEventListener("click", (event) => {
    event.preventDefault();
    addRow(form)?.querySelector<HTMLInputElement>('[name="answer_ko"]')?.focus();
  });
  fitFields(page, form);
}

/** Read the value of a named control, "" when it is not there. */
export function typedIn(form: HTMLFormElement, name: string): string {
  const control = form.elements.namedItem(name);
  if (control instanceof RadioNodeList) return control.value;
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control.value : "";
}

/** Count the rows of answers with a text in at least one language. */
export function filledRows(form: HTMLFormElement): number {
  return rowsOf(form).filter(filled).length;
}

function fitFields(page: Document, form: HTMLFormElement): void {
  const kind = typedIn(form, "kind");
  for (const part of page.querySelectorAll<HTMLElement>("[data-kinds]")) {
    part.hidden = !(part.dataset.kinds ?? "").split(" ").includes(kind);
  }
  fitProtocol(form, kind === "multiple");
  const protocol = typedIn(form, "protocol");
  for (const part of form.querySelectorAll<HTMLElement>("[data-protocols]")) {
    part.hidden = !(part.dataset.protocols ?? "").split(" ").includes(protocol);
  }
  // What is ticked holds only under a condition: it is offered only then.
  const always = typedIn(form, "visible_if") === "always";
  for (const part of form.querySelectorAll<HTMLElement>("[data-conditions]")) part.hidden = always;
  const tosses = form.elements.namedItem("tosses");
  if (protocol === "coin" && tosses instanceof HTMLInputElement && tosses.value === "") tosses.value = "1";
}

function fitProtocol(form: HTMLFormElement, boxes: boolean): void {
  const select = form.elements.namedItem("protocol");
  if (!(select instanceof HTMLSelectElement)) return;
  const fits = (option: HTMLOptionElement): boolean => option.hasAttribute("data-boxes") === boxes;
  for (const option of select.options) {
    option.hidden = !fits(option);
    option.disabled = !fits(option);
  }
  const chosen = select.selectedOptions[0];
  if (chosen === undefined || !fits(chosen)) {
    select.value = [...select.options].find(fits)?.value ?? select.value;
  }
}

function rowsOf(form: HTMLFormElement): readonly HTMLLIElement[] {
  return [...form.querySelectorAll<HTMLLIElement>("[data-answers] > li")];
}

function filled(row: HTMLLIElement): boolean {
  return [...row.querySelectorAll<HTMLInputElement>('input[type="text"]')].some(
    ({ value }) => value.trim() !== "",
  );
}

function grow(form: HTMLFormElement, typed: EventTarget | null): void {
  const last = rowsOf(form).at(-1);
  if (typed instanceof Node && last?.contains(typed) === true && filled(last)) addRow(form);
}

function addRow(form: HTMLFormElement): HTMLLIElement | null {
  const last = rowsOf(form).at(-1);
  if (last === undefined) return null;
  const row = last.cloneNode(true) as HTMLLIElement;
  row.classList.remove("wrong");
  row.querySelector(".errors")?.remove();
  const number = String(rowsOf(form).length + 1);
  for (const input of row.querySelectorAll("input")) {
    input.value = "";
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
    const label = input.dataset.label;
    if (label !== undefined) input.setAttribute("aria-label", label.replace("{number}", number));
  }
  last.after(row);
  return row;
}
