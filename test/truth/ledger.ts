import type { Bank, LedgerEntry } from '../../src/simulator/index.js';

/** Kinds of the entries that one message makes once at the most. */
export const CHARGING: ReadonlySet<LedgerEntry['kind']> = new Set<LedgerEntry['kind']>([
  'charge',
  'hold',
  'capture',
  'refund',
]);

/** Minor units. */
export interface Balance {
  moved: number;
  held: number;
}

export const NOTHING: Balance = { moved: 0, held: 0 };

/** The entries of everything that began with one message: its own, and those that refer to them. */
export function chainEntries(bank: Bank, root: string): LedgerEntry[] {
  const ids = new Set<string>();
  return bank.entries().filter(({ customerReference, transactionId, originalId }) => {
    const belongs = customerReference === root || ids.has(transactionId) || ids.has(originalId);
    if (belongs) ids.add(transactionId);
    return belongs;
  });
}

export function balanceOf(entries: readonly LedgerEntry[]): Balance {
  return entries.reduce((sum, { moved, held }) => ({ moved: sum.moved + moved, held: sum.held + held }), NOTHING);
}

export function isSame(a: Balance, b: Balance): boolean {
  return a.moved === b.moved && a.held === b.held;
}

/** More of it came back than it took, whoever gave it back. */
export function isOverReturned(charge: LedgerEntry, all: readonly LedgerEntry[]): boolean {
  const { transactionId: id, moved } = charge;
  const about = all.filter(({ transactionId, originalId }) => transactionId === id || originalId === id);
  return balanceOf(about).moved * moved < 0;
}

/** Something of what the first of them did is left: more may have come back than it took. */
export function isSomethingLeft(entries: readonly LedgerEntry[]): boolean {
  const left = balanceOf(entries);
  const isTooMuchBack = left.moved * (entries[0]?.moved ?? 0) < 0;
  return !isSame(left, NOTHING) && !isTooMuchBack;
}

export function spelt({ moved, held }: Balance): string {
  return held === 0 ? `${moved} moved` : `${moved} moved, ${held} held`;
}

/** Every balance that entries had from the moment the ledger held `from` of them until it held `until`. */
export function* balances(entries: readonly LedgerEntry[], from: number, until: number): Generator<Balance> {
  yield balanceOf(entries.filter(({ seq }) => seq <= from));
  for (const { seq } of entries) {
    if (seq > from && seq <= until) yield balanceOf(entries.filter((entry) => entry.seq <= seq));
  }
}
