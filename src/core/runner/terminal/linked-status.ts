import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { withoutAbsent } from '../../base/objects.js';
import type { Journal } from '../../journal/journal.js';
import type { TerminalRecord } from '../../journal/record.js';
import { proofIn } from '../../lifecycle/chain/chain-evidence.js';
import { type Entry, entryIn, found } from '../../lifecycle/chain/shape.js';
import { type Sought, soughtOnTerminal } from '../../lifecycle/chain/sought.js';
import { takenBackIn } from '../../lifecycle/chain/taken-back.js';
import { limitShowsFrom } from '../../lifecycle/terminal/earlier-attempts.js';
import { chargesIn } from '../../lifecycle/terminal/learn-earlier.js';
import type { LifecycleEvent, LifecycleState } from '../../lifecycle/terminal/lifecycle.js';
import { isNegative } from '../../operation/result-meaning.js';
import { madeByOthers } from '../others-in-chain.js';

interface Shown {
  event: LifecycleEvent & { type: 'gateway' };
  result?: TransactionResult;
}

/**
 * What the original's chain says of a follow-up that was made on a terminal; undefined where that is unclear.
 * @param askedAt when the chain was asked for, epoch ms
 * @throws JournalError
 */
export async function shownByChain(
  chain: readonly TransactionResult[],
  record: TerminalRecord,
  askedAt: number,
  journal: Journal,
): Promise<Shown | undefined> {
  const sought = soughtOnTerminal(record.request);
  if (sought === undefined) return undefined;
  const isDone = record.state.terminal?.meaning === 'approved';
  const own = isDone ? entryIn(chain, record.transactionId) : undefined;
  if (own !== undefined) return doneBy({ by: own }, chain, sought, askedAt);
  const others = withIds(await madeByOthers(journal, record, chain), chain, doneByEarlier(record.state));
  const proof = proofIn(chain, sought, undefined, others);
  if (proof.says === 'done' && proof.by !== undefined) {
    const { event, result } = doneBy({ by: proof.by, left: proof.left }, chain, sought, askedAt);
    const isMarkOfFlow = sought.mark !== undefined && sought.mark !== record.operationId;
    return { event: isMarkOfFlow ? { ...event, mayBeAnothers: true } : event, result };
  }
  if (proof.says === 'absent' && !isDone) return { event: { type: 'gateway', meaning: 'none', askedAt } };
  // Whose it is nobody knows; that nothing has begun, as the flow was told, cannot be said any more.
  const isToldBusy = record.state.phase === 'listening';
  return isToldBusy ? { event: { type: 'gateway', meaning: 'undefined', askedAt } } : undefined;
}

/** @param left minor units, where some of what was captured or given back went back since */
function doneBy(
  { by: entry, left }: { by: TransactionResult; left?: number | undefined },
  chain: readonly TransactionResult[],
  sought: Sought,
  askedAt: number,
): Shown {
  // A terminal reverses a refund whose card was pulled too early.
  const wentBack = sought.what === 'refund' && found('reversal', chain, chain, entry).about.length > 0;
  const meaning = left === undefined ? 'approved' : 'returned';
  const event = {
    type: 'gateway',
    meaning: wentBack ? 'cancelled' : meaning,
    askedAt,
    net: wentBack ? undefined : left,
    transactionId: entry.transactionID,
    takesBack: sought.what === 'reversal' ? takenBackIn(chain, entry, sought.original) : undefined,
  } as const;
  return { event: withoutAbsent(event), result: entry };
}

/**
 * What the original's chain says of the attempts before the latest, all of which have the same mark; undefined while it leaves open
 * which entry is the latest's.
 * @param open references of those that may have done it
 * @throws JournalError
 */
export async function earlierInChain(
  chain: readonly TransactionResult[],
  record: TerminalRecord,
  open: readonly string[],
  askedAt: number,
  journal: Journal,
): Promise<LifecycleEvent | undefined> {
  const sought = soughtOnTerminal(record.request);
  const original = entryIn(chain, sought?.original);
  const { state, operationId } = record;
  const { approvedEarlier } = state;
  const latest = doneByLatest(record);
  const known = idsOf([{ transactionId: latest }, approvedEarlier]);
  // What is known to be done shows when everything before it does.
  if (sought === undefined || original === undefined || known.some((id) => !entryIn(chain, id))) return undefined;
  const others = withIds(await madeByOthers(journal, record, chain), chain, known);
  const own = ownIn(chain, sought, original).filter((entry) => !others.has(entry));
  const unnamed = approvedEarlier !== undefined && !approvedEarlier.transactionId ? 1 : 0;
  const asked = { type: 'earlier', askedAt, lastAskedAt: askedAt } as const;
  const none = { ...asked, meaning: 'none' } as const;
  const unclear = { ...asked, meaning: 'undefined' } as const;
  if (own.length <= unnamed) {
    // Where its own entry has the mark, what has none is anybody's.
    const showsMark = entryIn(chain, latest)?.customerReference === sought.mark;
    const isAbsent = own.length > 0 || showsMark || proofIn(chain, sought, undefined, others).says === 'absent';
    return isAbsent ? none : unclear;
  }
  if (latest === undefined && !didNothing(state)) {
    if (askedAt < limitShowsFrom(state)) return undefined;
    // One is the latest's, for all that anybody will ever know.
    return own.length === unnamed + 1 ? none : unclear;
  }
  const [reference, another] = open;
  const [entry] = own;
  const isNamed = reference !== undefined && another === undefined && own.length === 1 && unnamed === 0;
  // What goes back has to be certain: the mark of the flow may be on somebody else's as well.
  if (!isNamed || (latest !== undefined && sought.mark !== operationId)) return unclear;
  return withoutAbsent({ ...asked, meaning: 'approved', reference, transactionId: entry?.transactionID } as const);
}

/** What has the mark of the operation, and did not go back. */
function ownIn(chain: readonly Entry[], { what, mark }: Sought, original: Entry): Entry[] {
  const { about, doubtful } = found(what, chain, chain, original);
  return [...about, ...doubtful].filter((entry) => {
    const wentBack = what === 'refund' && found('reversal', chain, chain, entry).about.length > 0;
    return entry.customerReference === mark && !wentBack;
  });
}

/** The transaction of the latest attempt, where its terminal has approved it and named it. */
function doneByLatest({ state: { terminal }, transactionId }: TerminalRecord): string | undefined {
  const isDone = terminal?.meaning === 'approved' || terminal?.meaning === 'partial';
  return isDone ? transactionId || undefined : undefined;
}

function didNothing({ terminal, latestNotBegun }: LifecycleState): boolean {
  return latestNotBegun === true || isNegative(terminal?.meaning ?? 'none');
}

/** The transactions of the attempts before the latest that are known to have done it. */
function doneByEarlier({ approvedEarlier, otherApproved, earlier, reversing }: LifecycleState): string[] {
  const shown = earlier?.meaning === 'approved' ? chargesIn(earlier) : [];
  return idsOf([approvedEarlier, otherApproved, reversing?.second, ...shown]);
}

function idsOf(done: readonly ({ transactionId?: string | undefined } | undefined)[]): string[] {
  return done.flatMap((one) => one?.transactionId || []);
}

function withIds(others: Set<Entry>, chain: readonly Entry[], ids: readonly string[]): Set<Entry> {
  return new Set([...others, ...chain.filter(({ transactionID = '' }) => ids.includes(transactionID))]);
}
