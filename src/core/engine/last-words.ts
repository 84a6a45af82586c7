import { recordedDelivery } from '../delivery/recorded-delivery.js';
import { DamagedRecordError } from '../journal/damaged-record.js';
import type { Journal } from '../journal/journal.js';
import { persisted } from '../journal/persisted.js';
import { JOURNAL_UNAVAILABLE, verdictWithoutEnd } from '../operation/verdict.js';
import type { AnyRunner, RunnerContext } from '../runner/runner-context.js';

/**
 * Says what an engine that ends knows, and the journal does not. Another process that has the journal goes on with what is there.
 * Somebody may have emptied the database, or it may have gone on from an older copy: what it lacks is written again, or named.
 */
export async function sayLastWords(
  journal: Journal,
  environment: string,
  runners: Iterable<AnyRunner>,
  log: RunnerContext['log'],
): Promise<void> {
  const written: AnyRunner[] = [];
  for (const runner of runners) {
    if (runner.unpersisted && journal.mayAct()) log('error', lastWords(runner));
    else if (!runner.isOver) written.push(runner);
  }
  // Without doors this process has the journal to itself.
  if (journal.doors === undefined || written.length === 0) return;
  try {
    const open = new Set(await journal.openIds(environment));
    const missing = written.filter(({ record }) => !open.has(record.operationId));
    await Promise.all(missing.map((runner) => writeAgain(journal, runner, log)));
  } catch {
    const ids = written.map(({ record }) => record.operationId);
    log(
      'error',
      'the journal cannot be read, and may have lost what was open here: look at these payments, unless their nodes are told what ' +
        `became of them, after the next start or by another Node-RED: ${ids.join(', ')}`,
    );
  }
}

/** Unless another process has closed it, or it is there and damaged. @throws JournalError where the journal cannot be read */
async function writeAgain(journal: Journal, runner: AnyRunner, log: RunnerContext['log']): Promise<void> {
  const { operationId } = runner.record;
  try {
    const [found] = await journal.find({ operationId }, 1);
    if (found !== undefined) return;
  } catch (error) {
    if (error instanceof DamagedRecordError) return;
    throw error;
  }
  await journal.advance(persisted(runner.record)).catch(() => log('error', lastWords(runner)));
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
