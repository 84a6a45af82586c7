import type { ResultPayload } from '../../../src/core/delivery/payload.js';
import { type Asked, type Heard, operationOf } from '../flow.js';
import { balanceOf, isSame, NOTHING } from '../ledger.js';
import type { World } from '../world.js';
import { type Case, cameAfterWatch } from './case.js';
import { WITHOUT_MONEY } from './contract.js';
import { namesNoAmount, saysOtherAmount, takesAnothers, tellsLaterTips, tellsNet, wasUndoneByOthers } from './money.js';

const SECOND = 1000;
/** Why an order was not taken after all. */
const RETRACTED: ReadonlySet<string> = new Set(['JOURNAL_UNAVAILABLE', 'STANDBY']);
const WITHOUT_DEADLINE = { deadlineMs: undefined };
const AFTER_DEADLINE = 30 * SECOND;
/** What happens to a flow whose world is in order. */
const HARMLESS: ReadonlySet<string> = new Set(['journal write slow']);
/** What an operation may take until it has something to write, and what the flow is spared before it hears of a broken journal. */
const SILENCE = 360 * SECOND + 60 * SECOND + 60 * SECOND;

/** How long the back office lets an order wait for those before it. */
const STALE_AFTER = 900 * SECOND;
const IN_QUEUE: ReadonlySet<string> = new Set(['preparing', 'retrying']);

/** Every message is answered: by a telling, by Catch, or by a crash before the journal had it. */
export function* answered(world: World, asked: Asked): Generator<string> {
  const record = world.disk.of(asked.id);
  if (asked.rejected !== undefined) {
    if (record !== undefined) yield 'rejected, and yet in the journal';
    if (asked.heard.length > 0) yield 'rejected, and yet told';
    return;
  }
  if (record === undefined) {
    if (world.forgotten.has(asked.id) || wasRetracted(asked)) return;
    // What could not be written was told as that; then its flows were closed, or the process died, and what it never sent nobody knows.
    const isUnwritten = ({ at, telling, life }: Heard): boolean => {
      const hasEnded = world.hasEnded(life) || (world.closedAt.get(life) ?? 0) > at;
      return telling.payload.error?.code === 'JOURNAL_UNAVAILABLE' && (hasEnded || world.isOffForGood);
    };
    const isForgotten = world.isShared && asked.heard.length > 0 && asked.heard.every(isUnwritten);
    if (asked.operationId !== undefined && !isForgotten) yield 'taken, and not in the journal';
    if (!asked.heard.every(isUnwritten)) yield 'told, and not in the journal';
    if (asked.operationId === undefined && !world.hasEnded(asked.life) && !world.isOffForGood)
      yield 'neither taken nor rejected';
    return;
  }
  const { brokenSince } = world.disk;
  if (asked.heard.length === 0) {
    // A process that is away, frozen, or cannot start says nothing; the next that can act must.
    // While it waited in line it could not be told.
    const begunAt = world.disk.begunAt.get(record.operationId) ?? asked.at;
    const hadTime =
      (brokenSince === undefined && !world.isOffForGood) ||
      world.uptime.longestSince(Math.max(brokenSince ?? begunAt, begunAt, world.disk.inPlaceSince)) >
        SILENCE + (IN_QUEUE.has(record.state.phase) ? STALE_AFTER : 0);
    if (hadTime) yield 'nothing was ever told';
  }
  if (record.closed || brokenSince !== undefined || world.isOffForGood) return;
  yield `is left open, ${record.state.phase}`;
}

/** First the flow heard that the journal is slow, then that it, or the process that leads, could not take it: nothing was sent. */
function wasRetracted({ heard }: Asked): boolean {
  const payload = heard.at(-1)?.telling.payload;
  return RETRACTED.has(payload?.error?.code ?? '') && payload?.final === true && payload.moneyMoved === 'no';
}

/**
 * Where nothing goes wrong nobody is asked to look about money, but for where there may be nobody to ask, and 30 s after the
 * deadline that the flow has set.
 */
export function* calm(world: World, asked: Asked): Generator<string> {
  const { heard, request } = asked;
  const [first] = heard;
  if (first === undefined || WITHOUT_MONEY.has(operationOf(asked)) || world.isHostile || !isCalm(world)) return;
  if (world.disk.of(asked.id)?.state.traceable !== true) return;
  const { outcome } = first.telling.payload;
  const { deadlineMs } = request.kind === 'terminal' ? request.order.policies : WITHOUT_DEADLINE;
  const isOverdue = deadlineMs !== undefined && first.at >= asked.at + deadlineMs + AFTER_DEADLINE;
  if ((outcome === 'unknown' || outcome === 'provisional') && !isOverdue)
    yield `told ${outcome}, although nothing has gone wrong`;
}

function isCalm({ faults, simulator }: World): boolean {
  const happened = Object.entries({ ...faults.toObject(), ...simulator.faults.counts() });
  return happened.every(([name, times]) => times === 0 || HARMLESS.has(name));
}

/**
 * One first message, corrections only of what was not final, repetitions only where the journal could not be told of the
 * first: the process died in between, the disk was full, or the journal is a backup from before.
 */
export function* sequence(world: World, one: Case): Generator<string> {
  const { asked } = one;
  const { heard } = asked;
  const diskFailed =
    world.faults.of('journal write failed') +
      world.faults.of('journal read-only') +
      world.faults.of('journal folder gone') >
    0;
  const wasRewound = world.forgotten.has(asked.id);
  let last: Heard | undefined;
  let end: Heard | undefined;
  for (const next of heard) {
    if (next.telling.payload.redelivered && asked.thrown === 0 && !world.mayRepeat(next, last, asked) && !diskFailed)
      yield 'redelivered, and the process never died';
    if (!(wasRewound && last !== undefined && next.life > last.life)) yield* step(world, asked, last, next);
    // What was said in between, that nobody knows, leaves the end that the flow heard before as true as it was.
    if (wasRewound && end !== undefined && next.life > end.life && isContradiction(world, one, end, next))
      yield `told ${summaryOf(next)} after ${summaryOf(end)}, with an older journal`;
    if (next.telling.payload.final) end = next;
    last = next;
  }
  const redelivered = heard.filter(({ telling }) => telling.payload.redelivered).length;
  if (redelivered > world.mostRepeats + asked.thrown && !diskFailed)
    yield `redelivered ${redelivered} times after ${world.mostRepeats} crashes, and ${asked.thrown} nodes that threw`;
}

/** An earlier verdict may have been told by another process, which nobody could ask. */
function mayHaveHeardBefore(world: World, asked: Asked, first: Heard): boolean {
  const { deliveries = 0 } = world.disk.of(asked.id)?.state ?? {};
  return deliveries > 1 && !world.hasToldAlone(first, asked) && world.mayRepeat(first, undefined, asked);
}

function* step(world: World, asked: Asked, last: Heard | undefined, next: Heard): Generator<string> {
  const { redelivered, outcome, correction, final } = next.telling.payload;
  const before = last?.telling.payload;
  if (before === undefined) {
    if (correction && !redelivered && asked.thrown === 0 && !mayHaveHeardBefore(world, asked, next))
      yield 'a correction came first';
    return;
  }
  if (redelivered && outcome === before.outcome) {
    yield* repetition(before, next.telling.payload);
    return;
  }
  if (isCutOff(world, last, next)) return;
  if (before.final) yield `told ${outcome} after ${before.outcome}`;
  else if (!correction && !isForgotten(world, last, next))
    yield `${outcome} came after ${before.outcome}, and not as a correction`;
  else if (before.outcome === 'provisional' && outcome === 'unknown' && !final) yield 'a step back';
}

/** What is told once more rests on what the journal has, and names the same amount. What was told without it, only its process knew. */
function* repetition(before: ResultPayload, { outcome, amount, final }: ResultPayload): Generator<string> {
  const [first, again] = [before.amount?.total, amount?.total];
  if (first === undefined || final !== before.final || before.error?.code === 'JOURNAL_UNAVAILABLE') return;
  if (first !== again) yield `told ${outcome} with ${first}, and once more with ${again}`;
}

/**
 * A process that cannot reach the journal says that nobody knows. It cannot know what another one, which counts it as dead, has
 * told already: where that was the end, the flow hears it once more when this process is back.
 */
function isCutOff(world: World, last: Heard | undefined, { telling: { payload }, life }: Heard): boolean {
  return world.isShared && life !== last?.life && isUnavailable(payload);
}

function isUnavailable({ error, outcome }: ResultPayload): boolean {
  return error?.code === 'JOURNAL_UNAVAILABLE' && outcome === 'unknown';
}

/** The journal could not be told that the flow heard of it, so the engine that comes next cannot know. */
function isForgotten(world: World, last: Heard | undefined, next: Heard): boolean {
  const wasReplaced = next.life !== (last?.life ?? 0) || world.faults.of('redeploy') > 0;
  return last?.telling.payload.error?.code === 'JOURNAL_UNAVAILABLE' && wasReplaced;
}

/** A process that has forgotten what is final may tell it again, or that nobody can say any more, but not another truth. */
function isContradiction(world: World, one: Case, last: Heard, next: Heard): boolean {
  const [before, after] = [last.telling, next.telling];
  const isDone = ({ exit }: Heard['telling']): boolean => exit === 'done';
  if (!before.payload.final || !after.payload.final || after.payload.moneyMoved === 'unknown') return false;
  // The truth is about money: a receipt that was printed may be called unprinted by who has forgotten it.
  if (WITHOUT_MONEY.has(after.payload.operation)) return false;
  // Money has gone back since: both were true, and what is left is compared with the bank elsewhere.
  const wasUndone = wasUndoneByOthers(one, last) || wasUndoneByOthers(one, next);
  if (tellsNet(after.payload) || wasUndone || takesAnothers(world, one, next)) return false;
  // The service took it for an equal change right before: it is done, and nothing was done for it.
  if (one.own.length === 0 && isIncrease(after.payload.operation)) return false;
  if (namesNoAmount(before.payload) && isDone(before) && isDone(after)) return false;
  if (saysOtherAmount(before.payload) && after.payload.outcome === before.payload.outcome) return false;
  const total = { moved: after.payload.amount?.minor.total ?? 0, held: 0 };
  // All of it went back for this message, and not for a later one.
  const done = one.own.filter(({ seq }) => seq <= next.ledger);
  const tookBack = done.length > 0 && isSame(balanceOf(done), NOTHING);
  if (!tookBack && tellsLaterTips(world, one, next, total)) return false;
  const totals = [before.payload.amount?.total ?? '', after.payload.amount?.total ?? ''];
  if (totals[0] !== totals[1]) return true;
  // The same money, told once from an answer that does not name its surcharge, and once from a record that does.
  return (
    isDone(before) !== isDone(after) && (totals[0] === '' || before.payload.moneyMoved !== after.payload.moneyMoved)
  );
}

function isIncrease(operation: string): boolean {
  return /(in|de)crease$/i.test(operation);
}

function summaryOf({ telling: { payload } }: Heard): string {
  return `${payload.outcome} ${payload.amount?.total ?? ''}`.trim();
}

/** What contradicts something final is one alarm; where the bank agrees with what was told, none. */
export function* alarms(world: World, { asked, own, all }: Case): Generator<string> {
  const raised = asked.late.filter(({ payload }) => payload.outcome === 'unknown');
  const told = raised.filter(({ payload }) => !payload.redelivered).length;
  if (told > 1 && world.isHostile) yield `${told} alarms`;
  for (const { payload } of raised) {
    // Who has forgotten what it told takes a late result for news.
    if (world.forgotten.has(asked.id) || all.some((entry) => cameAfterWatch(entry, asked))) continue;
    // A late result that nobody can read may be an approval: only a person can say that it is none.
    if (/nobody can read/.test(payload.error?.message ?? '') && world.witnesses.saidUnreadable(asked.id)) continue;
    const isForNothing = isSame(balanceOf(own), NOTHING) === (asked.heard.at(-1)?.telling.payload.moneyMoved === 'no');
    if (isForNothing || !world.isHostile) yield `the terminal contradicts what was told: ${payload.error?.message}`;
  }
}
