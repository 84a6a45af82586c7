import type { Asked, Heard } from '../flow.js';
import type { World } from '../world.js';
import type { Case } from './case.js';

const SECOND = 1000;
export const QUESTIONS: ReadonlySet<string> = new Set(['unknown', 'provisional']);
/** What an operation may take until it has something to write, and what the flow is spared before it hears of a broken journal. */
const SILENCE = 360 * SECOND + 60 * SECOND + 60 * SECOND;

/** Every message is answered: by a telling, by Catch, or by a crash before the journal had it. */
export function* answered(world: World, asked: Asked): Generator<string> {
  const record = world.disk.of(asked.id);
  if (asked.rejected !== undefined) {
    if (record !== undefined) yield 'rejected, and yet in the journal';
    if (asked.heard.length > 0) yield 'rejected, and yet told';
    return;
  }
  if (record === undefined) {
    if (world.forgotten.has(asked.id)) return;
    if (asked.operationId !== undefined) yield 'taken, and not in the journal';
    if (asked.heard.length > 0) yield 'told, and not in the journal';
    if (asked.operationId === undefined && asked.life === world.life && !world.isOffForGood)
      yield 'neither taken nor rejected';
    return;
  }
  const { brokenSince } = world.disk;
  if (asked.heard.length === 0) {
    const hadTime = brokenSince === undefined || world.endedAt - Math.max(brokenSince, asked.at) > SILENCE;
    if (hadTime) yield 'nothing was ever told';
  }
  if (record.closed || brokenSince !== undefined) return;
  yield `is left open, ${record.state.phase}`;
}

/**
 * One first message, corrections only of what was not final, repetitions only where the journal could not be told of the
 * first: the process died in between, the disk was full, or the journal is a backup from before.
 */
export function* sequence(world: World, { asked }: Case): Generator<string> {
  const { heard, life } = asked;
  const diskFailed =
    world.faults.of('journal write failed') +
      world.faults.of('journal read-only') +
      world.faults.of('journal folder gone') >
    0;
  const wasRewound = world.forgotten.has(asked.id);
  let last: Heard | undefined;
  for (const next of heard) {
    if (next.telling.payload.redelivered && (last?.life ?? life) === next.life && !diskFailed)
      yield 'redelivered, and the process never died';
    if (!(wasRewound && last !== undefined && next.life > last.life)) yield* step(world, last, next);
    else if (isContradiction(last, next))
      yield `told ${summaryOf(next)} after ${summaryOf(last)}, with an older journal`;
    last = next;
  }
  const redelivered = heard.filter(({ telling }) => telling.payload.redelivered).length;
  if (redelivered > world.crashes && !diskFailed)
    yield `redelivered ${redelivered} times after ${world.crashes} crashes`;
  yield* alarms(world, asked);
}

function* step(world: World, last: Heard | undefined, next: Heard): Generator<string> {
  const { redelivered, outcome, correction, final } = next.telling.payload;
  const before = last?.telling.payload;
  if (before === undefined) {
    if (correction && !redelivered) yield 'a correction came first';
    return;
  }
  if (redelivered && outcome === before.outcome) return;
  const wasOpen = world.isHostile ? !before.final : QUESTIONS.has(before.outcome);
  if (!wasOpen) yield `told ${outcome} after ${before.outcome}`;
  else if (!correction) yield `${outcome} came after ${before.outcome}, and not as a correction`;
  else if (before.outcome === 'provisional' && outcome === 'unknown' && !final) yield 'a step back';
}

/** What is final may be told again by a process that has forgotten it, and nothing else. */
function isContradiction(last: Heard, next: Heard): boolean {
  const [before, after] = [last.telling.payload, next.telling.payload];
  return (
    before.final && after.final && (before.outcome !== after.outcome || before.amount?.total !== after.amount?.total)
  );
}

function summaryOf({ telling: { payload } }: Heard): string {
  return `${payload.outcome} ${payload.amount?.total ?? ''}`.trim();
}

/** What contradicts something final is one alarm; that there was reason for one is a violation by itself. */
function* alarms(world: World, { late }: Asked): Generator<string> {
  const raised = late.filter(({ payload }) => payload.outcome === 'unknown');
  if (raised.length > 1 && world.isHostile) yield `${raised.length} alarms`;
  for (const { payload } of raised) yield `the terminal contradicts what was told: ${payload.error?.message}`;
}
