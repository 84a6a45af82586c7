import * as z from 'zod';
import { exponentOf } from '../../base/currencies.js';
import { parseAmount } from '../../base/money.js';
import { isRedacted } from '../../base/privacy/redact.js';
import { UUID_V4 } from '../../base/uuid.js';
import { check } from './check.js';

/** Fields shared by several requests. Each message completes the sentence "expected ...". */

export const uuidV4 = z.string().regex(UUID_V4, 'a UUID of version 4');

export const filledText = z.string().min(1);

/** Model of a terminal. The virtual one represents payments without a card and is never sent anything. */
export const terminalType = filledText.refine((type) => type !== 'VT', 'the type of a terminal; VT is the virtual one');

/** ISO 4217 alpha-3. */
export const currency = z
  .string()
  .refine((code) => exponentOf(code) !== undefined, 'an ISO 4217 currency code such as EUR');

/**
 * Id of an earlier transaction: its `transactionID`, or the `guid` of a back-office answer. One that looked like a card number
 * was never kept, and what stands for it in a result names no transaction.
 */
export const originalGuid = filledText
  .max(64)
  .refine(
    (id) => !isRedacted(id),
    'the id of an earlier transaction, not what stands for one that looked like a card number',
  );

/** Decimal string in major units. {@link checkWithAmounts} checks it against its currency. */
export const majorAmount = z
  .string()
  .max(32)
  .regex(/^\d+(\.\d+)?$/, 'a decimal such as 12.50');

/** Decimal string in major units, above zero. */
export const positiveAmount = majorAmount.regex(/[1-9]/, 'an amount above zero');

const TIMESTAMP = /^\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d[0-5]\d\d{3}$/;

/** `YYYYMMDDHHmmssSSS`. */
export const timestamp = z.string().regex(TIMESTAMP, 'a time such as 20260131235959000 (YYYYMMDDHHmmssSSS)');

/** Address verification, group B only. */
export const billing = z.strictObject({ zipCode: filledText, address: z.string().optional() });

/** Mail order or telephone order. */
export const channel = z.enum(['MO', 'TO']);

/**
 * Checks a body, and that its amounts have no more decimals than its currency; without a currency there is nothing to
 * check them against.
 * @throws InputError naming the first field that breaks a rule
 */
export function checkWithAmounts<
  Field extends string,
  Body extends { [Name in Field]?: string } & { currency?: string },
>(schema: z.ZodType<Body>, draft: unknown, amounts: readonly Field[]): Body {
  const body = check(schema, draft);
  for (const field of amounts) {
    const amount = body[field];
    if (amount !== undefined && body.currency !== undefined) parseAmount(amount, body.currency, 'major', field);
  }
  return body;
}

/** Address of a terminal at the service; every request to a terminal needs both fields. */
export interface TerminalAddress {
  /** Serial number, as the list of terminals has it. */
  serial_number: string;
  /** Terminal type, as the list of terminals has it. */
  terminal_type: string;
}
