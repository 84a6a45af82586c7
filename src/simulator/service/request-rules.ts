import type { Order, TipConfiguration } from '../model/order.js';
import type { Readings } from '../model/reading-values.js';
import { OPERATIONS, type Operation } from '../model/vocabulary.js';
import {
  type Body,
  bool,
  type Check,
  integer,
  isObject,
  list,
  object,
  oneOf,
  problemsOf,
  type Report,
  text,
} from '../wire/checks.js';
import { type Answer, flatError, invalidBody } from '../wire/errors.js';

/** Validation by the service of a `POST /transactions` body: an order, or the response that refuses it. */

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const AMOUNT_LIMIT = 999_999_999_999;

/** Operations that need no `amount`. */
const WITHOUT_AMOUNT: ReadonlySet<Operation> = new Set([
  'tokenizeCard',
  'pingDevice',
  'stopCurrentTransaction',
  'preAuthorizationReversal',
  'printReceipt',
  'cardPan',
]);

/** Operations that must name an earlier transaction. */
const NEEDS_ORIGINAL: ReadonlySet<Operation> = new Set([
  'refundReversal',
  'saleReversal',
  'moToReversal',
  'preAuthorizationIncrease',
  'preAuthorizationCapture',
  'preAuthorizationReversal',
]);

const METADATA_VALUE = text({ max: 250, pattern: /^[A-Za-z0-9\-()@:%_\\+.~#?&/={}',"]*$/ });
const METADATA_WITH_SPACES = text({ max: 250, pattern: /^[A-Za-z0-9\-()@:%_\\+.~#?&/={}'," ]*$/ });

const credential = object({
  acquirer: oneOf('AMEX', 'BORGUN', 'OMNIPAY', 'POSTBRIDGE', 'TSYS', 'VANTIV', 'SANDBOX'),
  mid: text({ min: 1 }),
  tid: text({ min: 1 }),
  mcc: text({ min: 1 }),
  externalId: text({ min: 1, max: 23 }),
});

export const merchantAuth: Check = (value, path, report) => {
  list(credential, 1)(value, path, report);
  if (!Array.isArray(value)) return;
  const credentials = value.filter(isObject);
  const acquirers = credentials.map(({ acquirer }) => acquirer);
  if (credentials.length > 1 && (acquirers.includes(undefined) || new Set(acquirers).size < acquirers.length)) {
    report({ path, code: 'merchantAuth', message: 'should name a different acquirer in each element' });
  }
  for (const { externalId, acquirer, mid, tid, mcc } of credentials) {
    const own = [mid, tid, mcc].filter((part) => part !== undefined).length;
    if (externalId !== undefined ? own > 0 || acquirer !== undefined : own === 0) {
      report({ path, code: 'merchantAuth', message: 'should have either externalId alone, or mid, tid or mcc' });
    }
  }
};

export const billing = object({ zipCode: text({ min: 1 }), address: text() }, ['zipCode']);

const bodyWith = (metadata: Check): Check =>
  object(
    {
      operation: oneOf(...OPERATIONS),
      serial_number: text({ min: 1 }),
      terminal_type: text({ min: 1 }),
      amount: text({ max: 12, pattern: /^-?\d+$/ }),
      currency: text({ pattern: /^[A-Z]{3}$/ }),
      transactionReference: text(),
      callbackUrl: text({ pattern: /^https:\/\/[^\s/]|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/ }),
      token: text({ min: 1 }),
      customerReference: text(),
      duplicate_check: bool,
      bypassOptions: object({ signatureBypass: bool, pinBypass: bool }, ['signatureBypass', 'pinBypass']),
      tipConfiguration: object(
        {
          baseAmount: text({ max: 12, pattern: /^\d+$/ }),
          headerName: text(),
          tipPercentages: list(integer(0, 100), 1),
          enterAmountEnabled: bool,
          skipEnabled: bool,
          footer: text(),
        },
        ['tipPercentages'],
      ),
      merchantAuth,
      metadata: object({
        metadata1: metadata,
        metadata2: metadata,
        metadata3: metadata,
        metadata4: metadata,
        metadata5: metadata,
      }),
      moneyRemittanceOptions: object(
        { fullName: text({ min: 1, max: 30, pattern: /^[\p{L} ]+$/u }), countryCode: text() },
        ['fullName', 'countryCode'],
      ),
      billing,
      originalTransactionId: text({ min: 1 }),
      originalTransactionID: text({ min: 1 }),
      returnDeviceInfo: bool,
      cardPresent: bool,
      tokenize: bool,
      receipt: text({ min: 1 }),
      cardToken: text({ min: 1, max: 64 }),
      channel: oneOf('MO', 'TO'),
    },
    ['operation', 'serial_number', 'terminal_type'],
  );

const body = bodyWith(METADATA_VALUE);
const bodyWithSpaces = bodyWith(METADATA_WITH_SPACES);

/** Fields that only these operations accept. */
const FIELDS_OF: Readonly<Record<string, readonly Operation[]>> = {
  receipt: ['printReceipt'],
  cardToken: ['moToSale'],
  channel: ['moToSale'],
  returnDeviceInfo: ['pingDevice'],
  tipConfiguration: ['sale'],
};

function wholeBody(readings: Readings): Check {
  return (value, path, report) => {
    const allowsSpaces = hasSpaces(value) && readings.metadataSpaces === 'accepted';
    (allowsSpaces ? bodyWithSpaces : body)(value, path, report);
    if (!isObject(value)) return;
    checkOperation(value, report);
    if (isLoneCredential(value.merchantAuth) && readings.loneCredential === 'refused') refuseLoneCredential(report);
  };
}

function hasSpaces(value: unknown): boolean {
  const metadata = isObject(value) && isObject(value.metadata) ? Object.values(value.metadata) : [];
  return metadata.some((text) => typeof text === 'string' && text.includes(' '));
}

function isLoneCredential(credentials: unknown): boolean {
  const [only, ...others] = Array.isArray(credentials) ? credentials.filter(isObject) : [];
  return only !== undefined && others.length === 0 && only.acquirer === undefined;
}

function refuseLoneCredential(report: Report): void {
  report({ path: '/merchantAuth/0', code: 'required', message: "should have required property 'acquirer'" });
}

export function isUuidV4(value: unknown): boolean {
  return typeof value === 'string' && UUID_V4.test(value);
}

export function readOrder(value: unknown, readings: Readings): { order: Order } | { refusal: Answer } {
  const problems = problemsOf(wholeBody(readings), value);
  if (problems.length > 0 || !isObject(value)) return { refusal: invalidBody(problems) };
  const order = orderFrom(value);
  const { transactionReference, operation, amount } = order;
  if (transactionReference !== undefined && !isUuidV4(transactionReference)) {
    return { refusal: flatError(400, 'transactionReference: wrong uuidv4 format') };
  }
  const size = operation === 'preAuthorizationIncrease' ? Math.abs(amount) : amount;
  if (value.amount !== undefined && !(size > 0 && size < AMOUNT_LIMIT)) {
    return { refusal: flatError(400, `amount: should be above 0 and below ${AMOUNT_LIMIT}`) };
  }
  return { order };
}

function checkOperation(value: Body, report: Report): void {
  const operation = OPERATIONS.find((known) => known === value.operation);
  if (operation === undefined) return;
  const require = (name: string): void => {
    if (value[name] === undefined) {
      report({ path: '', code: 'required', message: `should have required property '${name}'` });
    }
  };
  const forbid = (name: string): void => {
    if (value[name] !== undefined) {
      report({ path: '', code: 'additionalProperties', message: `should NOT have additional property '${name}'` });
    }
  };
  if (!WITHOUT_AMOUNT.has(operation)) require('amount');
  if (value.amount !== undefined) require('currency');
  if (operation === 'printReceipt') require('receipt');
  const original = value.originalTransactionId ?? value.originalTransactionID;
  if (NEEDS_ORIGINAL.has(operation) && original === undefined) require('originalTransactionId');
  if (NEEDS_ORIGINAL.has(operation) || original !== undefined) forbid('transactionReference');
  for (const name in FIELDS_OF) {
    if (FIELDS_OF[name]?.includes(operation) === false) forbid(name);
  }
  if (operation !== 'preAuthorizationIncrease' && String(value.amount).startsWith('-')) {
    report({ path: '/amount', code: 'pattern', message: 'should match pattern "^\\d+$"' });
  }
}

/** Relies on `value` having passed the checks, so every field has its type. */
function orderFrom(value: Body): Order {
  const bypass = isObject(value.bypassOptions) ? value.bypassOptions : {};
  const [credentials] = Array.isArray(value.merchantAuth) ? value.merchantAuth.filter(isObject) : [];
  const amount = Number(value.amount ?? 0);
  return {
    operation: OPERATIONS.find((known) => known === value.operation) ?? 'sale',
    serial_number: String(value.serial_number),
    terminal_type: String(value.terminal_type),
    amount,
    currency: optionalText(value.currency) ?? '',
    transactionReference: optionalText(value.transactionReference),
    callbackUrl: optionalText(value.callbackUrl),
    token: optionalText(value.token),
    customerReference: optionalText(value.customerReference) ?? '',
    duplicateCheck: value.duplicate_check !== false,
    isReferenceUsed: false,
    signatureBypass: bypass.signatureBypass === true,
    pinBypass: bypass.pinBypass === true,
    tip: isObject(value.tipConfiguration) ? tipFrom(value.tipConfiguration, amount) : undefined,
    externalId: optionalText(credentials?.externalId),
    metadata: isObject(value.metadata) ? textsOf(value.metadata) : null,
    moneyRemittanceOptions: isObject(value.moneyRemittanceOptions) ? value.moneyRemittanceOptions : null,
    originalTransactionId: optionalText(value.originalTransactionId ?? value.originalTransactionID) ?? '',
    returnDeviceInfo: value.returnDeviceInfo === true,
    cardPresent: value.cardPresent === true,
    tokenize: value.tokenize === true,
    receipt: optionalText(value.receipt),
    cardToken: optionalText(value.cardToken),
  };
}

function tipFrom(value: Body, amount: number): TipConfiguration {
  return {
    baseAmount: value.baseAmount === undefined ? amount : Number(value.baseAmount),
    headerName: optionalText(value.headerName) ?? 'Tip',
    tipPercentages: Array.isArray(value.tipPercentages) ? value.tipPercentages.map(Number) : [],
    enterAmountEnabled: value.enterAmountEnabled !== false,
    skipEnabled: value.skipEnabled !== false,
    footer: optionalText(value.footer) ?? '',
  };
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsOf(value: Body): Record<string, string> {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, String(field)]));
}
