import { DEMO_BATCH } from '../../gateway/batches.js';
import type { Merchant } from '../../model/merchant.js';
import type { Readings } from '../../model/reading-values.js';
import { bool, type Check, integer, isObject, object, oneOf, text } from '../../wire/checks.js';
import { billing, merchantAuth } from '../request-rules.js';

/**
 * Validation by the service of every request body except that of `POST /transactions`. Amounts are major-unit
 * strings.
 */

const CURRENCY = text({ pattern: /^[A-Z]{3}$/ });
const AMOUNT = text({ min: 1, max: 32, pattern: /^\d+(\.\d+)?$/ });
const GUID = text({ min: 1, max: 64 });
const MOTO_TEXT = text({ max: 50 });
const HOLD_TEXT = text({ max: 64 });
const CHANNEL = oneOf('MO', 'TO');

/** If `when` is present, `needs` is required too. Exactly one of the two `either` fields must be present. */
function related(check: Check, rules: { when?: string; needs?: string; either?: [string, string] }): Check {
  return (value, path, report) => {
    check(value, path, report);
    if (!isObject(value)) return;
    const { when, needs, either } = rules;
    if (when !== undefined && needs !== undefined && value[when] !== undefined && value[needs] === undefined) {
      report({ path, code: 'required', message: `should have required property '${needs}'` });
    }
    if (either !== undefined && either.filter((name) => value[name] !== undefined).length !== 1) {
      report({ path, code: 'oneOf', message: `should have exactly one of ${either.join(', ')}` });
    }
  };
}

export const reversalBody = related(
  object(
    {
      originalGuid: GUID,
      amount: AMOUNT,
      currency: CURRENCY,
      messageReasonCode: text({ pattern: /^[A-Z_]+$/ }),
      timestamp: text({ pattern: /^\d{17}$/ }),
    },
    ['originalGuid'],
  ),
  { when: 'amount', needs: 'currency' },
);

export const motoSaleBody = object(
  {
    amount: AMOUNT,
    currency: CURRENCY,
    cardToken: GUID,
    transactionReference: MOTO_TEXT,
    customerReference: MOTO_TEXT,
    billing,
    channel: CHANNEL,
    merchantAuth,
  },
  ['amount', 'currency', 'cardToken'],
);

export const motoRefundBody = related(
  object(
    {
      amount: AMOUNT,
      currency: CURRENCY,
      originalGuid: GUID,
      cardToken: GUID,
      transactionReference: MOTO_TEXT,
      customerReference: MOTO_TEXT,
      channel: CHANNEL,
      merchantAuth,
    },
    ['amount', 'currency'],
  ),
  { either: ['originalGuid', 'cardToken'] },
);

export const motoReversalBody = object(
  {
    originalGuid: GUID,
    amount: AMOUNT,
    currency: CURRENCY,
    customerReference: MOTO_TEXT,
    transactionReference: MOTO_TEXT,
    merchantAuth,
  },
  ['originalGuid', 'amount', 'currency'],
);

export const captureBody = object(
  {
    originalGuid: GUID,
    capturedAmount: AMOUNT,
    tipAmount: AMOUNT,
    customerReference: HOLD_TEXT,
    currency: CURRENCY,
    merchantAuth,
  },
  ['originalGuid', 'capturedAmount'],
);

const INCREASE_FIELDS = {
  originalGuid: GUID,
  increaseAmount: AMOUNT,
  subtract: oneOf('1'),
  customerReference: HOLD_TEXT,
  merchantAuth,
};

const INCREASE = object(INCREASE_FIELDS, ['originalGuid', 'increaseAmount']);
const INCREASE_WITH_CURRENCY = object({ ...INCREASE_FIELDS, currency: CURRENCY }, ['originalGuid', 'increaseAmount']);

export function increaseBody(readings: Readings): Check {
  return (value, path, report) => {
    const isNamed = isObject(value) && 'currency' in value;
    const allowsIt = isNamed && readings.increaseCurrency === 'accepted';
    (allowsIt ? INCREASE_WITH_CURRENCY : INCREASE)(value, path, report);
  };
}

const tipNumber: Check = (value, path, report) => {
  if (typeof value !== 'number' || !(value >= 0)) {
    report({ path, code: 'type', message: 'should be a number of 0 or more' });
  }
};

export const tipBody = object({ amount: tipNumber }, ['amount']);

export type BatchCommand = 'close' | 'summary' | 'detail';

/** The DEMO merchant must give the batch number even to close it. */
export function batchBody(command: BatchCommand, merchant: Merchant): Check {
  const number = merchant.demo && command === 'close' ? oneOf(DEMO_BATCH) : text({ min: 1 });
  const required = command === 'close' && !merchant.demo ? [] : ['batchNumber'];
  const fields = { serialNumber: text({ min: 1 }), deviceType: text({ min: 1 }), batchNumber: number };
  const filters = { customerReference: anything, rrn: text() };
  return object(command === 'detail' ? { ...fields, ...filters } : fields, ['serialNumber', 'deviceType', ...required]);
}

function anything(): void {}

const brightness = integer(0, 100);

/** Device commands by path, with the check of their body. */
export const COMMANDS: Readonly<Record<string, Check>> = {
  'set-unattended-mode': object({ status: bool }, ['status']),
  'set-locale': object({ locale: text() }, ['locale']),
  reboot: object({ force: bool }),
  'set-password-protected': object({ status: bool }, ['status']),
  'set-screen-brightness': object({ minimumBrightnessLevel: brightness, maximumBrightnessLevel: brightness }, [
    'minimumBrightnessLevel',
    'maximumBrightnessLevel',
  ]),
  'set-reboot-time': object({ hour: integer(0, 23) }, ['hour']),
  'set-security-policy': object({
    hideTabBar: bool,
    blockSystemUI: bool,
    brightness: bool,
    passwordToExit: bool,
  }),
};
