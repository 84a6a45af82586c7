import type { ResultPayload } from '../../src/core/delivery/payload.js';
import type { LedgerEntry } from '../../src/simulator/index.js';
import { type Asked, type Heard, operationOf } from './flow.js';
import { type Balance, balances, chainEntries, isSame, NOTHING, spelt } from './ledger.js';
import type { World } from './world.js';

/** Compares what the flow was told with what the bank has: at every moment from the telling on. */

/** The recommended active-recovery timeout, ms. */
const RECOVERY_LIMIT = 360_000;
const GIVING_BACK = new Set(['refund', 'moToRefund', 'moto/refund']);
const HOLDING = new Set(['preAuthorization', 'moToPreAuthorization']);
const QUESTIONS = new Set(['unknown', 'provisional']);

export interface Chain {
  root: Asked;
  /** What success of the root adds; absent where what was told says it. */
  effect?: Balance;
  followUps: { asked: Asked; effect: Balance }[];
}

export function judge(world: World, chains: readonly Chain[]): string[] {
  const violations = [...world.violations, ...world.inspector.violations];
  const { bank } = world.simulator;
  const end = bank.entries().length;
  for (const { root, effect, followUps } of chains) {
    const entries = chainEntries(bank, root.id);
    const links = [{ asked: root, effect }, ...followUps];
    for (const [place, { asked, effect }] of links.entries()) {
      const until = links[place + 1]?.asked.ledger ?? end;
      const own = entries.filter(({ seq }) => seq > asked.ledger && seq <= until);
      const found = [
        ...told(world, asked),
        ...sequence(world, asked),
        ...truth(asked, own, until, effect),
        ...ending(world, asked, own, effect),
      ];
      found.push(...policy(world, asked));
      violations.push(...found.map((violation) => `${asked.id} (${operationOf(asked)}): ${violation}`));
    }
  }
  if (world.clock.pending > 0) violations.push(`${world.clock.pending} timers are left`);
  return violations;
}

/** Every message is answered: by a telling, by Catch, or by a crash before the journal had it. */
function* told(world: World, asked: Asked): Generator<string> {
  const record = world.disk.of(asked.id);
  if (asked.rejected !== undefined) {
    if (record !== undefined) yield 'rejected, and yet in the journal';
    if (asked.heard.length > 0) yield 'rejected, and yet told';
    return;
  }
  if (record === undefined) {
    if (asked.operationId !== undefined) yield 'taken, and not in the journal';
    if (asked.heard.length > 0) yield 'told, and not in the journal';
    if (asked.operationId === undefined && asked.life === world.life) yield 'neither taken nor rejected';
    return;
  }
  if (asked.heard.length === 0) yield 'nothing was ever told';
  if (!record.closed) yield `is left open, ${record.state.phase}`;
}

/**
 * One first message, corrections only of questions, repetitions only where the journal could not be told of the first:
 * the process died in between, or the disk was full.
 */
function* sequence(world: World, { heard, late, life }: Asked): Generator<string> {
  const diskFailed = world.faults.of('journal write failed') > 0;
  let last: Heard | undefined;
  for (const next of heard) {
    const { redelivered, outcome, correction } = next.telling.payload;
    const before = last?.telling.payload;
    if (redelivered && (last?.life ?? life) === next.life && !diskFailed)
      yield 'redelivered, and the process never died';
    if (before === undefined) {
      if (correction && !redelivered) yield 'a correction came first';
    } else if (!redelivered || outcome !== before.outcome) {
      if (!QUESTIONS.has(before.outcome) && before.final) yield `told ${outcome} after ${before.outcome}`;
      else if (!correction) yield `${outcome} came after ${before.outcome}, and not as a correction`;
      else if (before.outcome === 'provisional' && outcome === 'unknown') yield 'a step back';
    }
    last = next;
  }
  const redelivered = heard.filter(({ telling }) => telling.payload.redelivered).length;
  if (redelivered > world.crashes && !diskFailed)
    yield `redelivered ${redelivered} times after ${world.crashes} crashes`;
  for (const { payload } of late) {
    if (payload.outcome === 'unknown') yield `the terminal contradicts what was told: ${payload.error?.message}`;
  }
}

function* truth(
  asked: Asked,
  entries: readonly LedgerEntry[],
  until: number,
  effect: Balance | undefined,
): Generator<string> {
  const charges = entries.filter(({ kind }) => kind === 'charge' || kind === 'hold' || kind === 'capture');
  if (charges.length > 1) yield `${charges.length} charges for one message`;
  for (const [place, { telling, ledger }] of asked.heard.entries()) {
    const expected = expectedBy(telling.payload, effect);
    if (telling.exit === 'mistake' && telling.payload.moneyMoved !== 'no') yield 'a mistake that moved money';
    if (expected === undefined) continue;
    const upTo = asked.heard[place + 1]?.ledger ?? until;
    for (const balance of balances(entries, ledger, upTo)) {
      if (isSame(balance, expected)) continue;
      yield `told ${telling.payload.outcome} (${spelt(expected)}), and the bank has ${spelt(balance)}`;
      break;
    }
  }
}

/** What the flow decided in advance for approvals that come late, or in part. */
function* policy(world: World, { id, heard }: Asked): Generator<string> {
  const record = world.disk.of(id);
  const last = heard.at(-1)?.telling.payload;
  if (record?.kind !== 'terminal' || last === undefined) return;
  const { policies, startedAt, attemptAt, terminal } = record.state;
  const deadline = policies.deadlineMs === undefined ? attemptAt + RECOVERY_LIMIT : startedAt + policies.deadlineMs;
  // What works on an earlier payment cannot be undone, so no policy is about it.
  if (record.request.originalTransactionId !== undefined && record.operation !== 'refund') return;
  if (record.state.transactionId !== undefined && world.inspector.beyondReversal.has(record.state.transactionId))
    return;
  const isLate = record.request.amount !== undefined && terminal?.meaning === 'approved' && terminal.at >= deadline;
  if (isLate && policies.lateApproval === 'reverse' && last.outcome === 'approved') yield 'a late approval was kept';
  const isPart = terminal?.meaning === 'partial' && last.outcome === 'partial';
  if (isPart && policies.partialApproval === 'reverse') yield 'a partial approval was kept';
  const { total = 0, requested = 0 } = last.amount?.minor ?? {};
  if (last.outcome === 'approved' && total < requested) yield `approved, and only ${total} of ${requested} moved`;
}

/** What a question leaves in the end. */
function* ending(
  world: World,
  asked: Asked,
  entries: readonly LedgerEntry[],
  effect: Balance | undefined,
): Generator<string> {
  const last = asked.heard.at(-1)?.telling.payload;
  const net = [...balances(entries, Number.MAX_SAFE_INTEGER, 0)][0] ?? NOTHING;
  if (last === undefined) {
    if (!isSame(net, NOTHING)) yield `nothing was told, and the bank has ${spelt(net)}`;
    return;
  }
  if (!QUESTIONS.has(last.outcome)) return;
  if (isKnowable(asked) && !world.isElsewhereAlone(asked.id)) yield `stays ${last.outcome}, and the gateway knows`;
  if (effect !== undefined && !isSame(net, NOTHING) && !isSame(net, effect)) {
    yield `stays ${last.outcome}, and the bank has ${spelt(net)}, neither nothing nor ${spelt(effect)}`;
  }
}

/** The status service knows it by a reference of ours, so in the end nothing may stay open. */
function isKnowable({ request }: Asked): boolean {
  if (request.kind === 'back-office') return false;
  const { operation, originalTransactionId } = request.order.request;
  const traceable = ['sale', 'refund', 'saleAndTokenizeCard', 'preAuthorization'].includes(operation);
  return traceable && originalTransactionId === undefined;
}

/** What the bank must have by what was told; undefined for a question. */
function expectedBy(payload: ResultPayload, effect: Balance | undefined): Balance | undefined {
  const { outcome, operation, amount, moneyMoved } = payload;
  if (QUESTIONS.has(outcome)) return undefined;
  const total = amount?.minor.total ?? 0;
  if (outcome === 'partial') return { moved: total, held: 0 };
  if (outcome === 'approved' || outcome === 'completed' || (outcome === 'refunded' && moneyMoved === 'yes')) {
    if (effect !== undefined) return effect;
    if (HOLDING.has(operation)) return { moved: 0, held: amount?.minor.hold ?? total };
    return { moved: GIVING_BACK.has(operation) ? -total : total, held: 0 };
  }
  return NOTHING;
}
