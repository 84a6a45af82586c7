import { JournalError } from '../base/errors.js';
import type { Clock } from '../base/seams.js';
import { JOURNAL_PATIENCE } from '../base/timings.js';
import { type OperationRecord, originalIn } from '../journal/record.js';
import { isReversal } from '../operation/kinds.js';
import type { OrderKey } from '../operation/order-key.js';
import type { Balance } from '../original/balance.js';
import { checkRefund, checkReversal } from '../original/refund-check.js';

type BalanceOf = (transactionId: string, key: OrderKey | undefined) => Promise<Balance | undefined>;

/** The last turn in each journal: several environments may have keys of one merchant. */
const turns = new WeakMap<object, Promise<unknown>>();

/**
 * Refuses a refund of more than is left of its original, and a reversal of what was refunded. One after another, so that each
 * sees what those before it have asked for: a hold and its capture are the same money, so that they share one turn.
 */
export class RefundLimit {
  /** @param place what all have in common that share a journal */
  constructor(
    private readonly clock: Pick<Clock, 'after'>,
    private readonly balanceOf: BalanceOf,
    private readonly place: object,
  ) {}

  /**
   * @param source of the amount, as the flow's author knows it
   * @param begin makes the record durable
   * @throws InputError, JournalError: it was not begun
   */
  within<T>(record: OperationRecord, source: string, begin: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let isGivenUp = false;
      // Nobody tells its flow anything before it is begun, however long the journal hangs over the one ahead.
      const patience = this.clock.after(JOURNAL_PATIENCE, () => {
        isGivenUp = true;
        reject(new JournalError('the journal hangs over another refund or reversal; nothing was sent'));
      });
      const checked = async (): Promise<void> => {
        if (isGivenUp) return;
        await this.check(record, source);
        if (isGivenUp) return;
        patience.cancel();
        resolve(await begin());
      };
      const turn = (turns.get(this.place) ?? Promise.resolve()).then(checked).catch((error) => {
        patience.cancel();
        reject(error);
      });
      turns.set(this.place, turn);
    });
  }

  private async check(record: OperationRecord, source: string): Promise<void> {
    const original = originalIn(record);
    if (original === undefined) return;
    const check = isReversal(record.operation) ? checkReversal : checkRefund;
    check(record, await this.balanceOf(original, record.origin.key), source);
  }
}
