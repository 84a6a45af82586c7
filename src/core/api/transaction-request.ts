import * as z from 'zod';
import { check } from './check.js';
import { isCountry } from './countries.js';
import { billing, channel, currency, filledText, terminalType, uuidV4 } from './fields.js';
import { merchantAuth } from './merchant-auth.js';
import { checkOperationRules, OPERATION_RULES } from './operation-rules.js';

/** The body of `POST /transactions` (spec: TransactionRequest), with every rule that can be checked before it leaves. */

export const TRANSACTION_OPERATIONS = [
  'sale',
  'refund',
  'refundReversal',
  'saleReversal',
  'saleAndTokenizeCard',
  'tokenizeCard',
  'printReceipt',
  'cardPan',
  'pingDevice',
  'stopCurrentTransaction',
  'moToSale',
  'moToRefund',
  'moToReversal',
  'moToPreAuthorization',
  'preAuthorization',
  'preAuthorizationIncrease',
  'preAuthorizationCapture',
  'preAuthorizationReversal',
] as const;

export type TransactionOperation = (typeof TRANSACTION_OPERATIONS)[number];

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
  /** Minor units; the service takes the amount where it is absent. */
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
  /** Digits, minor units; a minus only to decrease a hold. */
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
  originalTransactionId: filledText.max(64).optional(),
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
  callbackUrl: z.string().refine(isCallbackUrl, 'an https address (http on loopback only)').optional(),
  token: filledText.optional(),
});

/** What a node asks for, before the engine adds what belongs to one attempt. */
export type TransactionOrder = z.output<typeof order>;

/** The whole body of one attempt. */
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
  return check(checkedOrder, withReadableOriginal(value));
}

/** @throws InputError naming the first field that breaks a rule */
export function checkTransactionRequest(value: unknown): TransactionRequest {
  return check(checkedRequest, withReadableOriginal(value));
}

/** Whether an operation of this kind, unless it is linked to an earlier one, is kept under the caller's reference. */
export function honoursReference(operation: TransactionOperation): boolean {
  return OPERATION_RULES[operation].honoursReference;
}

/** Whether the status service will know this order by the reference it is sent with. */
export function isTraceable(asked: Pick<TransactionOrder, 'operation' | 'originalTransactionId'>): boolean {
  return honoursReference(asked.operation) && asked.originalTransactionId === undefined;
}

/** Both spellings of the original's id are in use; one is sent. */
function withReadableOriginal(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('originalTransactionID' in value)) return value;
  const { originalTransactionID, ...rest } = value;
  return { originalTransactionId: originalTransactionID, ...rest };
}

function isCallbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
