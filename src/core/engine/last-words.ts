import { recordedDelivery } from '../delivery/recorded-delivery.js';
import { DamagedRecordError } from '../journal/damaged-record.js';
import type { Journal } from '../journal/journal.js';
import { persisted } from '../journal/persisted.js';
import { JOURNAL_UNAVAILABLE, verdictWithoutEnd } from '../operation/verdict.js';
import type { AnyRunner, RunnerContext } from '../runner/runner-context.js';

/**
 * Says what an engine that ends knows, and the journal does not. Where another process may have the journal, that goes on with what
 * is there. What is not, as in a database that somebody has emptied or that went on from an older copy, nobody else can tell:
 * it is written again, or named.
 */
export async function sayLastWords(
  journal: Journal,
  runners: Iterable<AnyRunner>,
  log: RunnerContext['log'],
): Promise<void> {
  const written: AnyRunner[] = [];
  for (const runner of runners) {
    if (runner.unpersisted && journal.mayAct()) log('error', lastWords(runner));
    else if (!runner.isOver) written.push(runner);
  }
  // Nobody else can have changed it.
  if (journal.doors === undefined) return;
  const unread: string[] = [];
  const leave = async (runner: AnyRunner): Promise<void> => {
    const { operationId } = runner.record;
    const found = await journal.find({ operationId }, 1).catch((error) => error);
    if (found instanceof DamagedRecordError) return;
    if (found instanceof Error) unread.push(operationId);
    else if (found.length === 0)
      await journal.advance(persisted(runner.record)).catch(() => log('error', lastWords(runner)));
  };
  await Promise.all(written.map(leave));
  if (unread.length > 0)
    log(
      'error',
      `the journal cannot be read, and may have lost what was open here: look at these payments, unless the next start tells what became of them: ${unread.join(', ')}`,
    );
}

/**
 * What is known of an operation whose runner ends before the journal could take it. The next engine finds what the journal took
 * last, or nothing where its folder was removed: then this line is all that is left.
 */
function lastWords({ record, outbox }: AnyRunner): string {
  const { operationId, operation, references, origin } = record;
  const verdict = verdictWithoutEnd(operation, JOURNAL_UNAVAILABLE);
  const unknown = { sequence: 0, verdict, source: 'recovery' } as const;
  const { outcome, amount } = outbox.withheldPayload ?? recordedDelivery(record, unknown).payload;
  const told = [outcome, amount?.total, amount?.currency].filter(Boolean).join(' ');
  return (
    `${operationId}: ${told} was not delivered, because the journal could not take it: look at it (${operation} of node ` +
    `${origin.node}, references ${references.join(', ')}), unless the next start tells what became of it`
  );
}
