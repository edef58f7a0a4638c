/** Say on the page that a passkey did not work, instead of only in the console. */

/** Reveal the page's prepared message when allauth's own script reports a failed ceremony. */
export function passkeyErrors(page: Document): void {
  page.addEventListener("allauth.error", (event) => {
    const message = page.getElementById("passkey-error");
    if (message === null) return;
    event.preventDefault();
    message.hidden = false;
    message.focus();
  });
}
