import { type PaymentError, RefusedError } from '../base/errors.js';
import type { OperationRecord } from '../journal/record.js';
import { appended } from '../lifecycle/timeline.js';

type Log = (level: 'warn', text: string) => void;

/** Why the service did not answer about an operation, for whoever has to find the cause: in the log and in the timeline. */
export class LostAnswers {
  /** Why questions were not answered, as each is asked again and again. */
  private readonly reasons = new Set<string>();

  constructor(private readonly log: Log) {}

  /** @returns the record with the reason in its timeline */
  noted<R extends OperationRecord>(record: R, { message: why }: PaymentError, now: number): R {
    this.log('warn', `${record.operationId}: ${why}`);
    return { ...record, timeline: appended(record.timeline, now, [{ event: 'no-answer', why }]) };
  }

  /** The same for a question, each reason once. */
  notedQuestion<R extends OperationRecord>(record: R, error: PaymentError, now: number): R {
    const isNews = !this.reasons.has(error.message) && !isOwnRate(error);
    if (!isNews) return record;
    this.reasons.add(error.message);
    return this.noted(record, error, now);
  }
}

/** It was asked too early or was withdrawn: the service has nothing to do with that. */
function isOwnRate(error: PaymentError): boolean {
  return (
    error.code === 'WITHDRAWN' ||
    error.code === 'NOT_STARTED' ||
    (error instanceof RefusedError && error.status === 429)
  );
}
