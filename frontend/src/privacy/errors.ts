/** The refusals of the privacy layer: a stable code and the facts, no sentences for people. */

export class PrivacyError extends Error {
  readonly code: string;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(`${code} ${Object.entries(facts).map(([name, value]) => `${name}=${String(value)}`)}`.trim());
    this.code = code;
    this.facts = facts;
  }
}

/** Never returns: lets a refusal stand where a value is expected. */
export function refuse(code: string, facts: Readonly<Record<string, unknown>> = {}): never {
  throw new PrivacyError(code, facts);
}
