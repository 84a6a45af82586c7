import * as z from 'zod';
import { UnreadableAnswerError } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { redactText } from '../../base/privacy/redact.js';
import { isZeros } from '../../base/uuid.js';
import {
  customFields,
  decisiveInteger,
  flag,
  id,
  integer,
  issuerCode,
  number,
  plainObjectReader,
  plainReader,
  record,
  secretText,
  text,
  textOrNumber,
  texts,
} from './answer-fields.js';
import { epochOf } from './timestamp.js';

/**
 * A result from a callback, a poll or the status service (spec: TransactionResult). Parsed tolerantly and normalised;
 * the body is kept as received.
 */

/** The values in the API description; others are kept as received. */
type FinStatus =
  | 'IN_PROGRESS'
  | 'UNDEFINED'
  | 'AUTHORISED'
  | 'DECLINED'
  | 'FAILED'
  | 'CANCELLED'
  | 'PARTIAL_APPROVAL'
  | 'REFUNDED'
  | 'PROCESSED'
  | 'CAPTURED'
  | (string & {});

const surchargeFields = { amount: integer, applied: flag, reason: text };
const surcharge = z.looseObject(surchargeFields).transform(asApplied).optional().catch(undefined);

const balance = z
  .looseObject({ amount: integer, currency: text, positive: flag, negative: flag })
  .optional()
  .catch(undefined);

const efttimestamp = z
  .union([z.int(), z.string().transform((value) => (/^\d{1,16}$/.test(value) ? Number(value) : epochOf(value)))])
  .optional()
  .catch(undefined);

/** It may come in small letters, or with blanks around it. */
const currency = text.transform((value) => value?.trim().toUpperCase());

const fields = z.object({
  transactionID: id,
  efttransactionID: id,
  /** Epoch ms. */
  efttimestamp,
  transactionReference: text,
  originalEFTTransactionID: id,
  transactionOrigin: text,
  type: text,
  finStatus: z
    .string()
    .min(1)
    .transform((value): FinStatus => (value === 'PARTIALLY_APPROVED' ? 'PARTIAL_APPROVAL' : value)),
  statusMessage: text,
  errorMessage: text,
  multiLanguageStatusMessages: texts,
  multiLanguageErrorMessages: texts,
  recoveredTransaction: flag,

  // Minor units. The first three distinguish a partial approval from a full one.
  requestedAmount: decisiveInteger,
  totalAmount: decisiveInteger,
  dueAmount: decisiveInteger,
  tipAmount: integer,
  taxAmount: integer,
  holdAmount: integer,
  increaseAmount: integer,
  capturedAmount: integer,
  tipPercentage: number,
  surcharge,
  currency,

  cardEntryType: text.transform((value) => (value === 'MSR' ? 'MAG_STRIPE' : value)),
  paymentScenario: text,
  tenderType: text,
  verificationMethod: text,
  cardSchemeName: text,
  maskedCardNumber: text,
  cardTypeId: text,
  expiryDateMMYY: text,
  cardHolderName: text,
  cardLanguagePreference: text,
  accountType: text,
  unMaskedPan: secretText,
  cardToken: secretText,
  balance,

  authorisationCode: text,
  issuerResponseCode: issuerCode,
  rrn: text,
  aid: text,
  applicationLabel: text,
  tvr: text,
  tsi: text,
  iad: text,
  arc: text,
  chipTransactionReport: text,

  mid: text,
  tid: text,
  merchantName: text,
  merchantAddress: text,
  customerReference: text,
  budgetNumber: text,
  customData: text,
  batchNumber: textOrNumber,
  metadata: texts,
  customFields,
  moneyRemittanceOptions: record,

  /** A URL, HTML, or empty. */
  merchantReceipt: text,
  /** A URL, HTML, or empty. */
  customerReceipt: text,
  /** A URL, the base64 of a picture, or empty. */
  signatureUrl: text,
  deviceStatus: record,
});

/** A field is undefined if the service did not send it or sent an unreadable value. Empty strings are kept. */
export type TransactionResult = z.output<typeof fields> & {
  /** The body as received. It may hold card data that the flow asked for: redact before storing. */
  raw: Record<string, unknown>;
};

/** Alternative spellings of a field. The first with a value is used. */
const SPELLINGS = {
  transactionID: ['transactionID', 'transactionId', 'efttransactionID', 'eftTransactionID'],
  originalEFTTransactionID: [
    'originalEFTTransactionID',
    'originalEFTTransactionId',
    'originalTransactionID',
    'originalTransactionId',
  ],
} as const;

const readSurcharge = plainObjectReader(surchargeFields);

/** What the fields that no other response has mostly are. Undefined leaves a value to the schema, as with the others. */
const PLAIN: Record<string, ((value: unknown) => unknown) | undefined> = {
  efttimestamp: (value) => (Number.isSafeInteger(value) ? value : undefined),
  finStatus: (value) => (typeof value === 'string' && value !== 'PARTIALLY_APPROVED' && value ? value : undefined),
  cardEntryType: (value) => (typeof value === 'string' && value !== 'MSR' ? redactText(value) : undefined),
  currency: (value) => (typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : undefined),
  surcharge: (value) => {
    const plain = readSurcharge(value);
    return isObject(plain) ? asApplied(plain) : undefined;
  },
};

const READERS = Object.entries(fields.shape).map(([name, reader]) => ({
  name,
  reader,
  plain: PLAIN[name] ?? plainReader(reader),
  mayBeRespelt: name in SPELLINGS || name === 'finStatus',
}));

/** What every reading is a copy of. V8 makes a slow dictionary of an object that gets so many names one by one. */
const NOTHING_READ: Record<string, unknown> = JSON.parse(
  JSON.stringify(Object.fromEntries(['raw', ...READERS.map(({ name }) => name)].map((name) => [name, null]))),
);
for (const name of Object.keys(NOTHING_READ)) NOTHING_READ[name] = undefined;

/** That nothing was charged needs no amount, nor does the question whether a failure charged. */
const NEEDING_NO_AMOUNT: ReadonlySet<unknown> = new Set(['DECLINED', 'CANCELLED', 'FAILED']);

/**
 * @param body the parsed JSON
 * @throws UnreadableAnswerError if it is not a result, or may be an approval and a field that decides about money is unreadable
 */
export function readTransactionResult(body: unknown): TransactionResult {
  if (!isObject(body) || Array.isArray(body)) throw new UnreadableAnswerError(200, 'the result is not a JSON object');
  const respelt: Record<string, unknown> = { ...spelt(body), ...finStatusOf(body) };
  const finStatus = respelt.finStatus ?? body.finStatus;
  const needsNoAmount = NEEDING_NO_AMOUNT.has(finStatus);
  const wrong: string[] = finStatus === undefined || finStatus === null ? ['finStatus'] : [];
  const read: Record<string, unknown> = { ...NOTHING_READ };
  read.raw = body;
  // Field by field, and most of them without the schema, because many fields are absent or plain.
  for (const { name, reader, plain, mayBeRespelt } of READERS) {
    const value = (mayBeRespelt ? respelt[name] : undefined) ?? body[name];
    if (value === undefined || value === null) continue;
    const known = plain(value);
    if (known !== undefined) {
      read[name] = known;
      continue;
    }
    const { success, data } = reader.safeParse(value);
    if (!success && !needsNoAmount) wrong.push(name);
    else if (data !== undefined) read[name] = data;
  }
  if (wrong.length > 0) {
    throw new UnreadableAnswerError(200, `the result cannot be read: ${wrong.join(', ')} missing or not as described`);
  }
  return read as TransactionResult;
}

/** The result in a parsed body; undefined if there is none, or a field that decides about money is unreadable. */
export function readableResult(body: unknown): TransactionResult | undefined {
  try {
    return readTransactionResult(body);
  } catch (error) {
    if (error instanceof UnreadableAnswerError) return undefined;
    throw error;
  }
}

/** Whether a body is a result, readable or not. */
export function saysHowItEnded(body: unknown): body is Record<string, unknown> {
  if (!isObject(body)) return false;
  const finStatus = body.finStatus ?? finStatusOf(body).finStatus;
  return finStatus !== undefined && finStatus !== null;
}

/** Whether a body has a result inside, which nobody can read there. */
export function wrapsResult(body: unknown): boolean {
  return isObject(body) && Object.values(body).some(hasEnded);
}

/** Unlike {@link saysHowItEnded} not of a ping that was answered at once, nor of what goes on. */
export function hasEnded(body: unknown): boolean {
  const { finStatus } = isObject(body) ? body : {};
  return Boolean(finStatus) && finStatus !== 'IN_PROGRESS';
}

/** A surcharge that was not applied explains no amount. */
function asApplied<Surcharge extends { amount?: unknown; applied?: unknown }>(value: Surcharge): Surcharge {
  return value.applied === false ? { ...value, amount: 0 } : value;
}

function spelt(body: Record<string, unknown>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, spellings] of Object.entries(SPELLINGS)) {
    const named = spellings.map((spelling) => body[spelling]);
    const id = named.find((one) => typeof one === 'string' && one !== '' && !isZeros(one));
    if (id !== undefined) found[name] = id;
  }
  return found;
}

/** The result of a ping may be `result: "PING_PONG"` alone. */
function finStatusOf({ finStatus, result }: Record<string, unknown>): { finStatus?: string } {
  return finStatus === undefined && result === 'PING_PONG' ? { finStatus: 'PROCESSED' } : {};
}
