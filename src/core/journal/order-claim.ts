import type { MerchantAuth } from '../api/schema/merchant-auth.js';
import { toMajorString, toMinorDigits } from '../base/money.js';
import { requestedAmount, requestedOf, sumOf } from '../lifecycle/back-office/amounts.js';
import { isOpenQuestion, isUndone } from '../operation/delivery-state.js';
import type { OrderKey } from '../operation/order-key.js';
import { type OperationRecord, originalIn } from './record.js';

/**
 * Who has the key of an order. Every journal decides by these rules, in the transaction that records the operation, so that
 * of several messages at once one is sent.
 */

/** An operation was not recorded, because this one has the key of its order. */
export interface Existing {
  existing: OperationRecord;
}

/**
 * Which attempt at its order an operation is, from 1, or who has the key instead.
 * @param holder the operation that has the key, both as the journal stores them
 */
export function claimOf(holder: OperationRecord | undefined, next: OperationRecord): { attempt: number } | Existing {
  if (holder === undefined) return { attempt: 1 };
  return isFreeFor(holder, next) ? { attempt: (holder.attempt ?? 1) + 1 } : { existing: holder };
}

/** The text of a record that has taken its key. */
export function withAttempt(text: string, attempt: number): string {
  return JSON.stringify({ ...JSON.parse(text), attempt });
}

function isFreeFor(holder: OperationRecord, next: OperationRecord): boolean {
  return isFree(holder, next.origin.key) && isSameOrder(holder, next);
}

/** Whether the operation that has a key lets another attempt at its order begin. */
export function isFree(holder: OperationRecord, key: OrderKey | undefined): boolean {
  return isUndone(holder.state) && key?.repeatUnsuccessful !== true;
}

/** Whether two operations, both as the journal stores them, are the same order: terminal, texts and options do not count. */
export function isSameOrder(one: OperationRecord, other: OperationRecord): boolean {
  return fingerprintOf(one) === fingerprintOf(other);
}

/** How two orders differ that are not the same, for people. Their texts are such as `sale 12.50 EUR`. */
export function differenceOf(one: OperationRecord, another: OperationRecord): { first: string; other: string } {
  const [first, other] = [textOf(one), textOf(another)];
  return { first, other: first === other ? `${other} of another original or merchant` : other };
}

function textOf({ operation, ...record }: OperationRecord): string {
  if (record.kind === 'back-office') {
    const { amount = '', currency = '' } = requestedOf(record.request) ?? {};
    return `${operation} ${amount} ${currency}`.trim();
  }
  const { amount, currency } = record.request;
  const isKnown = amount !== undefined && currency !== undefined;
  return isKnown ? `${operation} ${toMajorString(BigInt(amount), currency)} ${currency}` : operation;
}

/** A contradicted operation closes the key of its order again, though a later attempt may have it by now. */
export function takesKeyBack({ closed, origin, state }: OperationRecord): boolean {
  return closed && origin.key !== undefined && isOpenQuestion(state);
}

/** Whether it can be deleted once it is old: what became of the money is known. Without its record its key would charge again. */
export function isPrunable({ closed, state }: OperationRecord): boolean {
  return closed && !isOpenQuestion(state) && state.latest?.verdict.moneyMoved !== 'unknown';
}

function fingerprintOf(record: OperationRecord): string {
  return JSON.stringify([record.operation, ...amountOf(record), originalIn(record) ?? null, ...payeesOf(record)]);
}

/** Who gets the money, where that is another than the terminal's own merchant. */
function payeesOf({ request }: OperationRecord): string[] {
  const sent = 'body' in request ? request.body : request;
  const named: MerchantAuth = ('merchantAuth' in sent && sent.merchantAuth) || [];
  return named
    .map(({ acquirer, mid, tid, mcc, externalId }) => JSON.stringify([acquirer, mid, tid, mcc, externalId]))
    .sort();
}

function amountOf(record: OperationRecord): unknown[] {
  if (record.kind === 'terminal') return [record.request.amount ?? null, record.request.currency ?? null];
  const { request } = record;
  const asked = requestedAmount(request);
  const isDecrease = request.operation === 'preauthorization/increase' && request.body.subtract !== undefined;
  const digits = asked === undefined ? writtenAmounts(request.body) : toMinorDigits(sumOf(asked));
  return [isDecrease ? `-${digits}` : digits, asked?.currency ?? null];
}

/** Where an order names no currency, nobody knows how many minor units its amounts are: their texts count. */
function writtenAmounts(body: object): string {
  const { amount, capturedAmount, tipAmount, increaseAmount }: Record<string, unknown> = { ...body };
  return [amount, capturedAmount, tipAmount, increaseAmount].join(' ');
}
