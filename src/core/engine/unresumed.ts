import type { Dispatcher } from '../delivery/dispatcher.js';
import { recordedDelivery } from '../delivery/recorded-delivery.js';
import type { Journal } from '../journal/journal.js';
import type { OperationRecord } from '../journal/record.js';
import { noteUnavailable } from '../operation/delivery-state.js';
import { JOURNAL_UNAVAILABLE, verdictWithoutEnd } from '../operation/verdict.js';

/**
 * Open operations that no engine can resume, because the journal can be read and not be written. Their flows hear that,
 * once; the verdict follows as a correction.
 */
export class Unresumed {
  private readonly told = new Set<string>();

  constructor(
    private readonly journal: Journal,
    private readonly environment: string,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** @param isResumed whether this engine works on the operation */
  async tell(isResumed: (operationId: string) => boolean): Promise<void> {
    if (!this.journal.mayTellUnavailable()) return;
    for (const operationId of await this.journal.openIds(this.environment)) {
      if (isResumed(operationId) || this.told.has(operationId)) continue;
      const [record] = await this.journal.find({ operationId }, 1);
      if (record === undefined || record.closed || mayHaveVerdict(record)) continue;
      this.told.add(operationId);
      const verdict = verdictWithoutEnd(record.operation, JOURNAL_UNAVAILABLE);
      const delivery = recordedDelivery(record, { sequence: 0, verdict, source: 'recovery' });
      this.dispatcher.deliver(delivery, () => undefined, true);
    }
  }

  /** The record as its runner goes on from it: what the flow hears next is a correction where it was told already. */
  corrected<R extends OperationRecord>(record: R): R {
    if (!this.told.delete(record.operationId)) return record;
    return { ...record, state: { ...record.state, ...noteUnavailable(record.state) } };
  }
}

/** The flow has a verdict, or an earlier engine may have handed it over. */
function mayHaveVerdict({ state: { reported, pending } }: OperationRecord): boolean {
  return reported !== undefined && pending?.undelivered !== true;
}
