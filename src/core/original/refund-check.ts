import { InputError } from '../base/errors.js';
import { toMajorString } from '../base/money.js';
import type { OperationRecord } from '../journal/record.js';
import { amountOf, type Balance } from './balance.js';

/**
 * Refuses a refund of more than is left of its original, where the journal knows how much that is.
 * @param source of the amount, as the flow's author knows it
 * @throws InputError
 */
export function checkRefund(record: OperationRecord, balance: Balance | undefined, source: string): void {
  if (balance?.refundable === undefined) return;
  const { currency, refundable, undecided } = balance;
  const asked = amountOf(record, currency);
  if (asked === undefined || asked <= refundable) return;
  const expected = `at most ${toMajorString(refundable, currency)}, the amount left of the original${because(undecided)}`;
  throw new InputError(source, expected, toMajorString(asked, currency));
}

/**
 * Refuses a reversal that would give back more than its original together with the refunds of it. The service reverses what the
 * original charged, whatever was refunded; nobody says that it refuses to.
 * @param source of the amount, or of the original where the whole is to be reversed
 * @throws InputError
 */
export function checkReversal(record: OperationRecord, balance: Balance | undefined, source: string): void {
  checkReplaced(record, balance, source);
  const { currency = '', total, refunded = 0n, undecided } = balance ?? {};
  if (total === undefined || refunded <= 0n) return;
  const asked = amountOf(record, currency) ?? total;
  const most = total - refunded;
  if (asked <= most) return;
  const left = toMajorString(most > 0n ? most : 0n, currency);
  const why = `as ${toMajorString(refunded, currency)} was refunded or may have been${because(undecided)}`;
  throw new InputError(source, `at most ${left} to reverse, ${why}`, toMajorString(asked, currency));
}

/** A reversal takes the place of one before it: of no more than that it would give back nothing, or take money again. */
function checkReplaced(record: OperationRecord, balance: Balance | undefined, source: string): void {
  const { currency = '', total = 0n, reversed = 0n } = balance ?? {};
  const asked = amountOf(record, currency) ?? total;
  if (asked > reversed || reversed >= total) return;
  const before = toMajorString(reversed, currency);
  const expected = `more than ${before}, because it takes the place of the reversal of ${before} before it: give the sum of both`;
  throw new InputError(source, expected, toMajorString(asked, currency));
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
