import { type Asked, operationOf } from '../flow.js';
import { CHARGING } from '../ledger.js';
import type { World } from '../world.js';
import type { Case } from './case.js';

/** What writing and handing over may take after an answer, on a slow disk. */
const WRITING = 5000;
const UNANSWERED = new Set(['WATCH_ENDED', 'REVERSAL_UNPROVEN']);

/** When the status service showed the last of its attempts for the last time, epoch ms; undefined while it shows any. */
export function goneSince({ disk, gone }: World, { id }: Asked): number | undefined {
  const record = disk.of(id);
  if (record?.kind !== 'terminal' || record.references.length === 0) return undefined;
  // Those in front are of attempts that may have followed a backup; where there was none nobody sent them.
  const sent = record.references.slice(record.state.unknownAttempts ?? 0);
  const times = sent.map((reference) => gone.get(reference) ?? Number.POSITIVE_INFINITY);
  return Math.max(...times) < Number.POSITIVE_INFINITY ? Math.max(...times) : undefined;
}

/** One of its attempts charged, the status service does not show it any more, and its terminal has not said so either. */
export function isPartlyGone({ disk, gone, witnesses }: World, { asked: { id }, all }: Case): boolean {
  const record = disk.of(id);
  if (record?.kind !== 'terminal') return false;
  const mayHaveCharged = (reference: string): boolean =>
    all.some((entry) => CHARGING.has(entry.kind) && entry.reference === reference);
  // Whether what goes back has arrived only the status service could say.
  const isGoingBack = record.state.reversing !== undefined;
  return record.references.some(
    (reference) => gone.has(reference) && mayHaveCharged(reference) && (isGoingBack || !witnesses.hasResult(reference)),
  );
}

/** Nothing final rests on what was shown of a payment before its record vanished, and a person is asked to look at the end. */
export function* goneRecord(world: World, asked: Asked): Generator<string> {
  const since = goneSince(world, asked);
  if (since === undefined) return;
  for (const { at, telling } of asked.heard) {
    const { final, moneyMoved, source, outcome, redelivered } = telling.payload;
    if (final && !redelivered && source === 'status' && moneyMoved !== 'no' && at > since + WRITING)
      yield `told ${outcome} by the status service, which had shown it for the last time ${Math.round((at - since) / 1000)} s before`;
  }
  const last = asked.heard.at(-1)?.telling.payload;
  if (last === undefined || last.moneyMoved !== 'unknown' || world.isOffForGood || world.disk.brokenSince !== undefined)
    return;
  if (!last.final || !UNANSWERED.has(last.error?.code ?? ''))
    yield `stays ${last.outcome} (${operationOf(asked)}), and nobody is asked to look in the end`;
}
