import type { LedgerEntry } from '../../../src/simulator/index.js';
import type { Asked } from '../flow.js';
import { type State, stateOf } from '../follow-ups.js';
import { type Balance, chainEntries } from '../ledger.js';
import type { Chain } from '../play.js';
import type { World } from '../world.js';

/** One message, and what the ledger has of it. */
export interface Case {
  asked: Asked;
  /** Its own entries, oldest first. */
  own: readonly LedgerEntry[];
  /** Everything about the payment, whoever made it. */
  all: readonly LedgerEntry[];
  /** The ledger's length when the flow asked for the next thing about the payment, or at the end. */
  until: number;
  /** What success adds; undefined where what was told says it. */
  effect: Balance | undefined;
}

export function casesOf(world: World, { root, links }: Chain): Case[] {
  const { bank } = world.simulator;
  const all = chainEntries(bank, root.id);
  const ours = all.filter((entry) => !world.others.hasMade(entry) && !ranOut(entry));
  const end = bank.entries().length;
  return links.map(({ asked, effect }, place) => {
    const until = links[place + 1]?.asked.ledger ?? end;
    const own = ours.filter(({ seq }) => seq > asked.ledger && seq <= until);
    return { asked, own, all, until, effect: effect?.(stateBefore(all, own[0]?.seq ?? asked.ledger + 1, root)) };
  });
}

/** A hold that nobody used: the bank lets it go by itself. */
function ranOut({ kind, originalId }: LedgerEntry): boolean {
  return kind === 'release' && originalId === '';
}

function stateBefore(entries: readonly LedgerEntry[], seq: number, { heard }: Asked): State {
  const payment = heard.findLast(({ telling }) => telling.payload.transactionId !== '')?.telling.payload.transactionId;
  return stateOf(
    entries.filter((entry) => entry.seq < seq),
    payment ?? '',
  );
}
