/** Bit sources: a byte stream read most significant bit first. */

import { refuse } from "./errors.ts";

export interface Bits {
  /** The next `width` bits (0 to 32) as an unsigned integer; width 0 reads nothing. */
  word(width: number): number;
  /** How many bits were read so far. */
  readonly used: number;
}

/** A finite source, for tests and known answers; refuses when it runs out. */
export function byteBits(data: Uint8Array): Bits {
  let at = 0;
  return bitsOf(() => data[at++] ?? refuse("randomness-exhausted", { bytes: data.length }));
}

/** The device's own secure source; refuses where there is none, so that nothing is drawn or sent. */
export function secureBits(chunkBytes = 512): Bits {
  const source = globalThis.crypto;
  if (typeof source?.getRandomValues !== "function") refuse("randomness-unavailable");
  const chunk = new Uint8Array(chunkBytes);
  let at = chunkBytes;
  return bitsOf(() => {
    if (at === chunkBytes) {
      source.getRandomValues(chunk);
      at = 0;
    }
    const byte = chunk[at] as number;
    // A byte is handed out once and forgotten: nothing is left from which the draw could be redone.
    chunk[at++] = 0;
    return byte;
  });
}

function bitsOf(nextByte: () => number): Bits {
  let held = 0; // the byte being read
  let left = 0; // its unread low bits
  let used = 0;
  return {
    get used() {
      return used;
    },
    word(width) {
      if (!Number.isInteger(width) || width < 0 || width > 32) refuse("out-of-range", { width });
      let value = 0;
      for (let wanted = width; wanted > 0; ) {
        if (left === 0) {
          held = nextByte();
          left = 8;
        }
        const take = Math.min(left, wanted);
        left -= take;
        wanted -= take;
        // Not `<<`: a word of 32 bits would become negative.
        value = value * (1 << take) + ((held >> left) & ((1 << take) - 1));
      }
      used += width;
      return value;
    },
  };
}
