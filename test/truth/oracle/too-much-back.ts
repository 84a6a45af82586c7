import { GLANCE_WAIT } from '../../../src/core/base/timings.js';
import type { TerminalRecord } from '../../../src/core/journal/record.js';
import type { LedgerEntry } from '../../../src/simulator/index.js';
import { balanceOf, CHARGING } from '../ledger.js';
import type { World } from '../world.js';
import type { Case } from './case.js';

/** What the engine has been told, it heeds as soon as its journal has it, ms. */
const HEEDED_AFTER = 5000;

/**
 * No more comes back of a payment than it took, but for what another system gave back, or for what the journal has forgotten, where
 * nobody had told whoever sent the reversal.
 */
export function* tooMuchBack(world: World, cases: readonly Case[]): Generator<string> {
  const [{ all } = { all: [] }] = cases;
  for (const payment of all.filter(({ kind, moved }) => CHARGING.has(kind) && moved > 0)) {
    for (const entry of all.filter((one) => one.originalId === payment.transactionId && isOurs(one, world, cases))) {
      const unseen = all.filter((one) => one.seq < entry.seq && isUnseen(one, entry, world, cases));
      const known = all.filter((one) => one.seq <= entry.seq && isAbout(one, payment, all) && !unseen.includes(one));
      const { moved } = balanceOf(known);
      if (moved < 0) yield `${entry.kind} of ${-entry.moved}, and ${-moved} more than ${payment.moved} came back`;
    }
  }
}

/** A terminal may take back by itself what it has charged. */
function isOurs(entry: LedgerEntry, world: World, cases: readonly Case[]): boolean {
  if (entry.moved >= 0 || world.others.hasMade(entry)) return false;
  return makerOf(entry, cases)?.effect !== undefined || world.inspector.askedBack.has(entry.originalId);
}

function makerOf(entry: LedgerEntry, cases: readonly Case[]): Case | undefined {
  return cases.find(({ own }) => own.includes(entry));
}

/** Of the payment itself, or of a refund of it. */
function isAbout(entry: LedgerEntry, { transactionId }: LedgerEntry, all: readonly LedgerEntry[]): boolean {
  const original = all.find((one) => one.transactionId === entry.originalId);
  return [entry.transactionId, entry.originalId, original?.originalId].includes(transactionId);
}

/** Given back before, by another system or by us, and unknown to whoever sent our own. */
function isUnseen(before: LedgerEntry, ours: LedgerEntry, world: World, cases: readonly Case[]): boolean {
  if (before.moved >= 0) return false;
  if (!world.others.hasMade(before) && knowsPayment(world, cases)) return false;
  const sentAt = world.inspector.askedBack.get(ours.originalId)?.findLast((at) => at <= ours.at);
  if (sentAt !== undefined) return !world.witnesses.hadShown(before.transactionId, sentAt - HEEDED_AFTER);
  const maker = makerOf(ours, cases);
  const record = maker && world.disk.of(maker.asked.id);
  if (record?.kind === 'terminal') return !wasLookedAt(before, record, world);
  return !record?.state.baseline?.ids.includes(before.transactionId);
}

/** A tip that the service has approved and ignored, as something had gone back that whoever sent the tip had not been shown. */
export function isIgnoredTip({ variants, disk }: World, { asked, own, all }: Case): boolean {
  const record = disk.of(asked.id);
  if (variants.tipAfterReturn !== 'ignored' || own.length > 0 || record?.kind !== 'back-office') return false;
  const { operation, baseline } = record.state;
  const back = all.filter(({ kind }) => kind === 'refund' || kind === 'reversal');
  return operation === 'tip-adjustment' && back.some(({ transactionId }) => !baseline?.ids.includes(transactionId));
}

/** A partial reversal replaces the one that another system has made before it: how much came of ours, nobody can tell. */
export function replacesAnothers({ others }: World, { asked: { request }, own, all }: Case): boolean {
  if (request.kind !== 'back-office' || !('amount' in request.order.body)) return false;
  const isReversal = ({ kind, moved }: Case['own'][number]): boolean => kind === 'reversal' && moved !== 0;
  const first = own.find(isReversal);
  return (
    first !== undefined && all.some((entry) => isReversal(entry) && entry.seq < first.seq && others.hasMade(entry))
  );
}

/** The chain showed it when it was looked at, right before a terminal was asked for the first time. */
function wasLookedAt({ transactionId }: LedgerEntry, record: TerminalRecord, { inspector, witnesses }: World): boolean {
  const { operationId, references, state } = record;
  const sentAt = inspector.firstSentAt(operationId);
  // Whoever knows no reference of the chain cannot look, although somebody else may have been shown it meanwhile.
  if (record.originalReference === undefined || sentAt === undefined) return false;
  if (references.length > 1 || state.restoredAt !== undefined) return false;
  return witnesses.wasShown(transactionId, sentAt - GLANCE_WAIT, sentAt);
}

/** What the journal keeps no record of it compares nothing with. */
function knowsPayment({ disk, forgotten }: World, [root]: readonly Case[]): boolean {
  const record = root && disk.of(root.asked.id);
  return record !== undefined && !disk.deleted.has(record.operationId) && !forgotten.has(root?.asked.id ?? '');
}
