import { exponentOf } from '../../../core/base/currencies.js';
import { saidAmount, toMajorString } from '../../../core/base/money.js';
import { textOf } from '../../../core/base/objects.js';
import type { OperationRecord } from '../../../core/journal/record.js';
import { requestedOf } from '../../../core/lifecycle/back-office/amounts.js';

/** Amounts as the editor shows them: exact decimals in major units, empty where no amount is known. */

export interface Money {
  amount: string;
  currency: string;
}

const NONE: Money = { amount: '', currency: '' };

/** The requested amount of an operation, or what it moved once that is known. */
export function moneyOf(record: OperationRecord, hasMoved: boolean): Money {
  if (record.kind === 'back-office') {
    const requested = requestedOf(record.request);
    if (requested === undefined) return hasMoved ? answeredMoney(record) : NONE;
    return { amount: requested.amount, currency: requested.currency };
  }
  const { amount, currency } = record.request;
  if (amount === undefined || currency === undefined) return hasMoved ? answeredMoney(record) : NONE;
  const total = record.result?.totalAmount;
  const isKnown = hasMoved && typeof total === 'number' && Number.isSafeInteger(total);
  return { amount: toMajorString(isKnown ? total : BigInt(amount), currency), currency };
}

/** @param minor minor units */
export function majorOf(minor: number | undefined, currency: string): string {
  const isKnown = Number.isSafeInteger(minor) && exponentOf(currency) !== undefined;
  return minor === undefined || !isKnown ? '' : toMajorString(minor, currency);
}

/** A full reversal requests no amount: its answer says how much it was. */
function answeredMoney({ result: { currency, totalAmount, amount } = {} }: OperationRecord): Money {
  if (typeof currency !== 'string' || exponentOf(currency) === undefined) return NONE;
  if (typeof totalAmount === 'number' && totalAmount > 0) return { amount: majorOf(totalAmount, currency), currency };
  const said = saidAmount(textOf(amount), currency);
  return said === undefined || said <= 0n ? NONE : { amount: toMajorString(said, currency), currency };
}
