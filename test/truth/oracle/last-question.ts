import { chainReferenceOf } from '../../../src/core/original/chain-reference.js';
import type { World } from '../world.js';
import type { Case } from './case.js';

/** Nothing is given up after two days that the process which gives it up has not asked about. */
export function* lastQuestion(world: World, { asked }: Case): Generator<string> {
  const record = world.disk.of(asked.id);
  if (record === undefined) return;
  const { state } = record;
  const canBeAsked = state.traceable || ('traceableBy' in state && state.traceableBy !== undefined);
  const reference = chainReferenceOf(record);
  if (!canBeAsked || reference === undefined) return;
  // Of an attempt that was approved its own result says so: the others are asked about.
  const isKnown = 'approvedEarlier' in state && state.approvedEarlier !== undefined;
  const references = isKnown && 'references' in record ? record.references : [reference];
  for (const told of asked.heard) {
    const { error, redelivered } = told.telling.payload;
    if (error?.code === 'WATCH_ENDED' && !redelivered && !references.some((one) => world.hasAsked(told, one)))
      yield 'was given up after two days, and not asked about once more';
  }
}
