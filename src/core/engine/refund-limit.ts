import { InputError } from '../base/errors.js';
import { toMajorString } from '../base/money.js';
import { type OperationRecord, originalIn } from '../journal/record.js';
import type { OrderKey } from '../operation/order-key.js';
import { amountOf, type Balance } from '../original/balance.js';

type BalanceOf = (transactionId: string, key: OrderKey | undefined) => Promise<Balance | undefined>;

/**
 * Refuses a refund of more than is left of its original. One after another, so that each sees what those before it have asked
 * for: a hold and its capture are the same money, so that they share one turn.
 */
export class RefundLimit {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly balanceOf: BalanceOf) {}

  /**
   * @param source of the amount, as the flow's author knows it
   * @param begin makes the record durable
   * @throws InputError, JournalError: it was not begun
   */
  within<T>(record: OperationRecord, source: string, begin: () => Promise<T>): Promise<T> {
    const checked = async (): Promise<T> => {
      await this.check(record, source);
      return begin();
    };
    const turn = this.last.then(checked, checked);
    this.last = turn;
    return turn;
  }

  private async check(record: OperationRecord, source: string): Promise<void> {
    const original = originalIn(record);
    const balance = original === undefined ? undefined : await this.balanceOf(original, record.origin.key);
    if (balance?.refundable === undefined) return;
    const { currency, refundable, undecided } = balance;
    const asked = amountOf(record, currency);
    if (asked === undefined || asked <= refundable) return;
    const expected = `at most ${toMajorString(refundable, currency)}, the amount left of the original${because(undecided)}`;
    throw new InputError(source, expected, toMajorString(asked, currency));
  }
}

/** Why no more is left, and what helps. */
function because(undecided: readonly OperationRecord[] = []): string {
  const ids = (some: readonly OperationRecord[]): string => some.map(({ operationId }) => operationId).join(', ');
  const isTold = ({ state }: OperationRecord): boolean => state.reported !== undefined;
  const told = undecided.filter(isTold);
  if (told.length > 0)
    return `, as long as nobody knows whether operation ${ids(told)} gave money back: find out, and refund without this check what it did not give back`;
  return undecided.length > 0 ? ` while operation ${ids(undecided)} is under way: wait for its result` : '';
}
