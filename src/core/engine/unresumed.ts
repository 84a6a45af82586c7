import type { Dispatcher } from '../delivery/dispatcher.js';
import type { Delivery } from '../delivery/listener.js';
import { recordedDelivery } from '../delivery/recorded-delivery.js';
import type { Journal } from '../journal/journal.js';
import type { OperationRecord } from '../journal/record.js';
import { type DeliveryState, noteUnavailable, withoutOldNo } from '../operation/delivery-state.js';
import { movesMoney } from '../operation/kinds.js';
import { JOURNAL_UNAVAILABLE, verdictWithoutEnd } from '../operation/verdict.js';

/**
 * Open operations that no engine can resume, because the journal can be read and not be written. Their flows hear that,
 * once, and the verdict follows as a correction; or the recorded verdict, which they may have heard already.
 */
export class Unresumed {
  /** Operations whose flow has heard that the journal is not available. */
  private readonly told = new Set<string>();
  /** Operations whose flow was handed the recorded verdict once more. */
  private readonly repeated = new Set<string>();

  constructor(
    private readonly journal: Journal,
    private readonly environment: string,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** @param isResumed whether this engine works on the operation */
  async tell(isResumed: (operationId: string) => boolean): Promise<void> {
    if (!this.journal.mayTellUnavailable()) return;
    for (const operationId of await this.journal.openIds(this.environment)) {
      if (isResumed(operationId) || this.told.has(operationId) || this.repeated.has(operationId)) continue;
      const [record] = await this.journal.find({ operationId }, 1);
      const delivery = record && !record.closed ? this.deliveryOf(record) : undefined;
      if (delivery !== undefined) this.dispatcher.deliver(delivery, () => undefined, true);
    }
  }

  private deliveryOf(record: OperationRecord): Delivery | undefined {
    const isOldNo = mayBeTrueNoMore(record);
    if (mayHaveVerdict(record) && !isOldNo) return this.recorded(record);
    this.told.add(record.operationId);
    const verdict = verdictWithoutEnd(record.operation, JOURNAL_UNAVAILABLE);
    const delivery = recordedDelivery(record, { sequence: 0, verdict, source: 'recovery' });
    // What waits corrects something, so the flow has heard that something.
    const correction = isOldNo || record.state.pending?.correction === true;
    return correction ? { ...delivery, payload: { ...delivery.payload, correction } } : delivery;
  }

  /** The verdict that an earlier engine had written, and may have handed over before it died. */
  private recorded(record: OperationRecord): Delivery | undefined {
    const state: DeliveryState = record.state;
    const { pending } = movesMoney(record.operation) ? withoutOldNo(state) : state;
    if (pending === undefined) return undefined;
    this.repeated.add(record.operationId);
    const delivery = recordedDelivery(record, pending);
    const { correction } = pending;
    return { ...delivery, payload: { ...delivery.payload, redelivered: true, ...(correction && { correction }) } };
  }

  /** The record as its runner goes on from it: what the flow hears next is a correction where it was told already. */
  corrected<R extends OperationRecord>(record: R): R {
    if (!this.told.delete(record.operationId)) return record;
    return { ...record, state: { ...record.state, ...noteUnavailable(record.state) } };
  }
}

/** The flow has heard a "no" that is not final, and nobody looks any more whether it still holds. */
function mayBeTrueNoMore({ operation, state: { pending, latest } }: OperationRecord): boolean {
  if (!movesMoney(operation) || pending !== undefined || latest === undefined) return false;
  return latest.verdict.moneyMoved === 'no' && !latest.verdict.final;
}

/** The flow has a verdict, or an earlier engine may have handed it over. */
function mayHaveVerdict({ state: { reported, pending } }: OperationRecord): boolean {
  return reported !== undefined && pending?.undelivered !== true;
}
