import { recordedDelivery } from '../delivery/recorded-delivery.js';
import { JOURNAL_UNAVAILABLE, verdictWithoutEnd } from '../operation/verdict.js';
import type { AnyRunner } from '../runner/runner-context.js';

/**
 * What is known of an operation whose runner ends before the journal could take it. The next engine finds what the journal took
 * last, or nothing where its folder was removed: then this line is all that is left.
 */
export function lastWords({ record, outbox }: AnyRunner): string {
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
