import { MemoryJournal } from '../../src/core/journal/memory.js';
import type { OperationRecord } from '../../src/core/journal/record.js';
import type { Payments } from './payments.js';

/** A backup of the journal of one engine, which the next engine finds in its place. */

/** What the journal holds now. */
export async function backupOf(world: Payments): Promise<OperationRecord[]> {
  return structuredClone(await world.journal.open('env'));
}

/** The process ends, and the next one finds the backup. */
export async function restore(
  world: Payments,
  backup: readonly OperationRecord[],
  after: number,
  changes: Parameters<Payments['createEngine']>[0] = {},
): Promise<void> {
  await world.engine.stop();
  await world.clock.advance(after);
  const journal = new MemoryJournal();
  for (const record of backup) await journal.record(record);
  journal.crash();
  world.engine = world.createEngine({ journal, ...changes });
  world.connect(world.engine);
  await world.engine.start();
}
