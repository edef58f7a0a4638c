/** What a secure source owes: the platform's bytes, each once, in order, or a refusal. */

import type { Product } from "./vectors.ts";

/** What is wrong with the secure source, or null. */
export function sourceFault(product: Product): string | null {
  return wrongStream(product) ?? withoutSource(product) ?? withBrokenSource(product);
}

/** With a platform that counts 1, 2, 3, … the words are those of exactly these bytes, over several chunks. */
function wrongStream(product: Product): string | null {
  let next = 0;
  const getRandomValues = (array: Uint8Array) => array.map((_, at, all) => (all[at] = ++next & 255));
  return within({ getRandomValues }, () => {
    const secure = product.bits.secureBits(16);
    const same = product.bits.byteBits(Uint8Array.from({ length: 400 }, (_, at) => (at + 1) & 255));
    for (let width = 0, read = 0; read + width <= 3200; read += width, width = (width + 7) % 33) {
      if (secure.word(width) !== same.word(width))
        return `bits ${read} to ${read + width} are not the platform's`;
    }
    return secure.used === same.used ? null : `${secure.used} bits used, not ${same.used}`;
  });
}

function withoutSource(product: Product): string | null {
  return within(undefined, () => refusal(product)) === "randomness-unavailable"
    ? null
    : "draws without a source";
}

function withBrokenSource(product: Product): string | null {
  const getRandomValues = () => {
    throw new Error("no entropy");
  };
  return within({ getRandomValues }, () => refusal(product)) === null ? "draws from a broken source" : null;
}

/** The code with which a draw is refused; null when it is not. */
function refusal({ bits }: Product): string | null {
  try {
    bits.secureBits().word(8);
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? "error";
  }
}

/** Runs with another `crypto`, and puts the platform's back. */
function within<T>(crypto: object | undefined, act: () => T): T {
  const before = Object.getOwnPropertyDescriptor(globalThis, "crypto") as PropertyDescriptor;
  Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  try {
    return act();
  } finally {
    Object.defineProperty(globalThis, "crypto", before);
  }
}
