import * as z from 'zod';
import { exponentOf } from '../../base/currencies.js';
import { AMOUNT_LIMIT } from '../../base/money.js';
import { isObject } from '../../base/objects.js';
import { isSafeAddress } from '../../base/privacy/address.js';
import { check } from './check.js';
import { isCountry } from './countries.js';
import { billing, channel, currency, filledText, originalGuid, terminalType, uuidV4 } from './fields.js';
import { merchantAuth } from './merchant-auth.js';
import { OPERATION_RULES, TRANSACTION_OPERATIONS, type TransactionOperation } from './operation-rules.js';

/** The body of `POST /transactions` (spec: TransactionRequest), checked against every rule before it is sent. */

const metadataText = z
  .string()
  .max(250)
  .regex(
    /^[A-Za-z0-9\-()@:%_\\+.~#?&/={}',"]*$/,
    `only letters, digits and - ( ) @ : % _ \\ + . ~ # ? & / = { } ' , " (no spaces)`,
  )
  .optional();

const metadata = z.strictObject({
  metadata1: metadataText,
  metadata2: metadataText,
  metadata3: metadataText,
  metadata4: metadataText,
  metadata5: metadataText,
});

const tipConfiguration = z.strictObject({
  /** Minor units; absent: the amount. */
  baseAmount: z
    .string()
    .regex(/^\d{1,12}$/, 'digits in minor units, such as 1250')
    .optional(),
  headerName: z.string().optional(),
  tipPercentages: z.array(z.int().min(0).max(100)).min(1),
  enterAmountEnabled: z.boolean().optional(),
  skipEnabled: z.boolean().optional(),
  footer: z.string().optional(),
});

const moneyRemittanceOptions = z.strictObject({
  fullName: z
    .string()
    .max(30)
    .regex(/^\p{L}+( \p{L}+)*$/u, 'a first and last name of letters only'),
  countryCode: z.string().refine(isCountry, 'an ISO 3166-1 alpha-3 country code such as DEU'),
});

const order = z.strictObject({
  operation: z.enum(TRANSACTION_OPERATIONS),
  serial_number: filledText,
  terminal_type: terminalType,
  /** Minor units, digits only; a minus sign decreases a hold. */
  amount: z
    .string()
    .max(12)
    .regex(/^-?\d+$/, 'digits in minor units, such as 1250')
    .optional(),
  currency: currency.optional(),
  customerReference: z.string().optional(),
  duplicate_check: z.boolean().optional(),
  bypassOptions: z.strictObject({ signatureBypass: z.boolean(), pinBypass: z.boolean() }).optional(),
  tipConfiguration: tipConfiguration.optional(),
  merchantAuth: merchantAuth.optional(),
  metadata: metadata.optional(),
  moneyRemittanceOptions: moneyRemittanceOptions.optional(),
  billing: billing.optional(),
  originalTransactionId: originalGuid.optional(),
  returnDeviceInfo: z.boolean().optional(),
  cardPresent: z.boolean().optional(),
  tokenize: z.boolean().optional(),
  /** Printable HTML, or a URL. */
  receipt: filledText.optional(),
  cardToken: filledText.max(64).optional(),
  channel: channel.optional(),
});

const request = order.extend({
  transactionReference: uuidV4.optional(),
  callbackUrl: z.string().refine(isSafeAddress, 'an https address (http on loopback only)').optional(),
  token: filledText.optional(),
});

/** A node's request, before the engine adds the fields of one attempt. */
export type TransactionOrder = z.output<typeof order>;

/** The complete body of one attempt. */
export type TransactionRequest = z.output<typeof request>;

const checkedOrder = order.superRefine(checkOperationRules);
const checkedRequest = request.superRefine((body, context) => {
  checkOperationRules(body, context);
  if (body.transactionReference !== undefined && !isTraceable(body)) {
    const message = `no reference with ${body.operation}${body.originalTransactionId === undefined ? '' : ' of an original'}`;
    context.addIssue({ code: 'custom', path: ['transactionReference'], message });
  }
});

/** @throws InputError naming the first field that breaks a rule */
export function checkTransactionOrder(value: unknown): TransactionOrder {
  return plainOrder(value) ?? check(checkedOrder, withReadableOriginal(value));
}

/** @throws InputError naming the first field that breaks a rule */
export function checkTransactionRequest(value: unknown): TransactionRequest {
  return check(checkedRequest, withReadableOriginal(value));
}

interface PlainField {
  isNeeded: boolean;
  isRight: (value: unknown) => boolean;
}

/** What most payments hold, in the order of the schema, which says the same of it. */
const PLAIN = new Map<string, PlainField>([
  ['operation', { isNeeded: true, isRight: isFresh }],
  ['serial_number', { isNeeded: true, isRight: isFilled }],
  ['terminal_type', { isNeeded: true, isRight: (value) => isFilled(value) && value !== 'VT' }],
  ['amount', { isNeeded: true, isRight: isPlainAmount }],
  ['currency', { isNeeded: true, isRight: (value) => typeof value === 'string' && exponentOf(value) !== undefined }],
  ['customerReference', { isNeeded: false, isRight: (value) => typeof value === 'string' }],
  ['duplicate_check', { isNeeded: false, isRight: (value) => typeof value === 'boolean' }],
]);
const NAMES: ReadonlySet<string> = new Set(Object.keys(order.shape));

/** An order of a payment that is certainly right, without its schema, which takes ten times as long. Undefined leaves it to the schema. */
function plainOrder(value: unknown): TransactionOrder | undefined {
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  for (const name of Object.keys(value)) if (!(value[name] === undefined ? NAMES : PLAIN).has(name)) return undefined;
  const plain: Record<string, unknown> = {};
  for (const [name, { isNeeded, isRight }] of PLAIN) {
    const field = value[name];
    if (field === undefined && !isNeeded) continue;
    if (!isRight(field)) return undefined;
    plain[name] = field;
  }
  return plain as TransactionOrder;
}

function isPlainAmount(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,12}$/.test(value) && !isOutOfBounds(value);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** A payment of its own, which needs no original. */
function isFresh(value: unknown): boolean {
  const rule = TRANSACTION_OPERATIONS.find((operation) => operation === value);
  return (
    rule !== undefined && OPERATION_RULES[rule].amount === 'required' && OPERATION_RULES[rule].original !== 'required'
  );
}

/** Whether the service records an unlinked operation of this kind under the caller's reference. */
export function honoursReference(operation: TransactionOperation): boolean {
  return OPERATION_RULES[operation].honoursReference;
}

/** Whether the status service can find this order by the reference that it is sent with. */
export function isTraceable(order: Pick<TransactionOrder, 'operation' | 'originalTransactionId'>): boolean {
  return honoursReference(order.operation) && order.originalTransactionId === undefined;
}

/** Accepts both spellings of the original's id; one is sent. */
function withReadableOriginal(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('originalTransactionID' in value)) return value;
  const { originalTransactionID, ...rest } = value;
  return { originalTransactionId: originalTransactionID, ...rest };
}

/** Fields that only some operations accept. */
const FIELDS_OF: Partial<Record<keyof TransactionOrder, readonly TransactionOperation[]>> = {
  tipConfiguration: ['sale'],
  cardPresent: ['saleReversal', 'refundReversal', 'preAuthorizationReversal'],
  returnDeviceInfo: ['pingDevice'],
  receipt: ['printReceipt'],
  cardToken: ['moToSale'],
  channel: ['moToSale'],
};

/** Reports every rule of the table that the body breaks. */
function checkOperationRules(body: TransactionOrder, context: z.core.$RefinementCtx): void {
  const { operation } = body;
  const expect = (field: keyof TransactionOrder, message: string): void =>
    context.addIssue({ code: 'custom', path: [field], message });

  checkAmount(body, expect);
  const { original } = OPERATION_RULES[operation];
  if (original === 'required' && body.originalTransactionId === undefined) {
    expect('originalTransactionId', `the transactionID of the original (${operation} needs it)`);
  }
  if (original === 'none' && body.originalTransactionId !== undefined) {
    expect('originalTransactionId', `no original with ${operation}`);
  }
  if (operation === 'printReceipt' && body.receipt === undefined) expect('receipt', 'printable HTML or a URL');
  for (const [field, operations] of Object.entries(FIELDS_OF) as [keyof TransactionOrder, TransactionOperation[]][]) {
    if (body[field] !== undefined && !operations.includes(operation)) {
      expect(field, `no ${field} with ${operation} (only with ${operations.join(', ')})`);
    }
  }
}

function checkAmount(
  { operation, amount, currency }: TransactionOrder,
  expect: (field: 'amount' | 'currency', message: string) => void,
): void {
  if (OPERATION_RULES[operation].amount === 'none') {
    if (amount !== undefined) expect('amount', `no amount with ${operation}`);
    if (currency !== undefined) expect('currency', `no currency with ${operation}`);
    return;
  }
  if (amount === undefined) expect('amount', `digits in minor units, such as 1250 (${operation} needs it)`);
  else if (amount.startsWith('-') && operation !== 'preAuthorizationIncrease') {
    expect('amount', 'digits in minor units, such as 1250');
  } else if (isOutOfBounds(amount)) expect('amount', `an amount above 0 and below ${AMOUNT_LIMIT} minor units`);
  if (currency === undefined) expect('currency', `an ISO 4217 currency code such as EUR (${operation} needs it)`);
}

/** Zero or too large. Text that is not a number was reported before. */
function isOutOfBounds(amount: string): boolean {
  if (!/^-?\d+$/.test(amount)) return false;
  const size = BigInt(amount.replace('-', ''));
  return size === 0n || size >= AMOUNT_LIMIT;
}
