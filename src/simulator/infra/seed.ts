import type { NewId } from '../../core/base/seams.js';

/** Reproducible randomness: the same seed gives the same values. */

/** A mulberry32 generator of numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A generator of v4 UUIDs from a random source. */
export function seededIds(random: () => number): NewId {
  const hex = (length: number): string => {
    let digits = '';
    while (digits.length < length)
      digits += Math.floor(random() * 2 ** 24)
        .toString(16)
        .padStart(6, '0');
    return digits.slice(0, length);
  };
  return () => {
    const digits = hex(30);
    const variant = '89ab'[Math.floor(random() * 4)];
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-${variant}${digits.slice(15, 18)}-${digits.slice(18, 30)}`;
  };
}
