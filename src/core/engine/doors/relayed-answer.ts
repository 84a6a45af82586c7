import type { HttpAnswer } from '../../base/seams.js';

/** What no database may hold, not even sealed: the keys of terminals, and whole card numbers. */
const NEVER_STORED = new Set(['ssk', 'unMaskedPan']);

/** An answer of the service on its way to another process. */
export function relayedAnswer(answer: HttpAnswer): HttpAnswer {
  if (![...NEVER_STORED].some((name) => answer.body.includes(`"${name}"`))) return answer;
  try {
    const told = JSON.parse(answer.body, (name, value) => (NEVER_STORED.has(name) ? undefined : value));
    return { ...answer, body: JSON.stringify(told) };
  } catch {
    return { ...answer, body: '' };
  }
}
