import { CHARGING } from '../ledger.js';
import type { World } from '../world.js';
import type { Case } from './case.js';

/** How many charges of one message the ledger has at once. */

/** With what another system has undone as a whole before the next attempt, which is none too many after that. */
export function withUndone({ others }: World, { own, all }: Case): Case['own'] {
  const undoneBy = (charge: Case['own'][number]): Case['own'] => {
    if (!CHARGING.has(charge.kind)) return [];
    const next = own.find(({ kind, seq }) => CHARGING.has(kind) && seq > charge.seq);
    const undoes = ({ originalId, moved, seq }: Case['own'][number]): boolean =>
      originalId === charge.transactionId && moved === -charge.moved && moved < 0 && seq < (next?.seq ?? 0);
    return all.filter((entry) => others.hasMade(entry) && undoes(entry)).slice(0, 1);
  };
  return own.flatMap((entry) => [entry, ...undoneBy(entry)]);
}

/** How many charges stood at once: an attempt that the terminal took back itself is over before the next one. */
export function mostCharges(own: Case['own']): number {
  let [standing, most] = [0, 0];
  for (const entry of own) {
    if (CHARGING.has(entry.kind)) standing++;
    else if (isBack(entry) && standing > 0) standing--;
    most = Math.max(most, standing);
  }
  return most;
}

export function isBack({ kind }: Case['all'][number]): boolean {
  return kind === 'reversal' || kind === 'release';
}
