/** A button that copies the text of the field beside it. */

/** Show every copy button and let it copy; without a clipboard they stay hidden. */
export function copyButtons(page: Document): void {
  if (navigator.clipboard === undefined) return;
  for (const button of page.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => void copy(page, button));
  }
}

async function copy(page: Document, button: HTMLButtonElement): Promise<void> {
  const source = page.getElementById(button.dataset.copy ?? "");
  if (!(source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement)) return;
  await navigator.clipboard.writeText(source.value);
  button.textContent = button.dataset.copied ?? button.textContent;
}
