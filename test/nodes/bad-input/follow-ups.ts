import {
  type BadInput,
  badAmounts,
  badChoice,
  badMerchants,
  badTerminals,
  badWaits,
  fromMessage,
  paid,
  REFERENCE,
} from './row.js';

/** The smaller nodes about an earlier payment. */

const ORIGINAL = 'msg.payload.transactionId';
const tip = (amount: unknown, more: object = {}) => ({ ...paid(more), tip: amount });

export const TIP: BadInput = {
  type: 'payment-tip',
  config: fromMessage('unit', 'currency', 'checkOriginal'),
  also: { unit: 'major' },
  rows: [
    ...badAmounts('msg.tip', (amount) => tip(amount)),
    [paid(), 'msg.tip', /a decimal/, 'nothing'],
    [tip('1.00', { transactionId: undefined }), ORIGINAL, /an earlier payment/, 'nothing'],
    [tip('1.00', { transactionId: true }), ORIGINAL, /text/, 'true'],
    [{ ...tip('1.00'), currency: 'XXX' }, 'currency', /ISO 4217/, '"XXX"'],
    [{ ...tip('1.00'), unit: 'percent' }, 'msg.unit', /one of major, minor/, '"percent"'],
    [{ ...tip('1.5'), unit: 'minor' }, 'msg.tip', /minor units such as 1250/, '"1.5"'],
    [{ ...tip('1.00'), checkOriginal: 'later' }, 'msg.checkOriginal', /true or false/, '"later"'],
  ],
};

const stored = { ...paid(), operation: 'tokenizeCard' };

export const TOKEN: BadInput = {
  type: 'payment-token',
  config: fromMessage('operation', 'busyWait', 'merchantAuth'),
  also: { operation: 'fetch' },
  rows: [
    [paid({ transactionId: undefined }), ORIGINAL, /an earlier payment/, 'nothing'],
    [paid({ transactionId: {} }), ORIGINAL, /text/, '{}'],
    ...badChoice('operation', 'fetch, tokenizeCard', 'sale', paid()),
    [{ ...stored, payload: { metadata4: 'a;b' } }, 'metadata4', /only letters/, '"a;b"'],
    ...badTerminals(stored),
    ...badWaits(stored),
    ...badMerchants(stored),
  ],
};

const asks = (reference: unknown, more: object = {}) => ({ payload: { reference }, ...more });

export const STATUS: BadInput = {
  type: 'payment-status',
  config: fromMessage('operation', 'selector'),
  also: { operation: 'status' },
  rows: [
    [{}, 'msg.payload.reference', /text/, 'nothing'],
    [asks(''), 'msg.payload.reference', /text/, 'nothing'],
    [asks(true), 'msg.payload.reference', /text/, 'true'],
    [asks('order-7'), 'msg.payload.reference', /a UUID of version 4/, '"order-7"'],
    [asks(REFERENCE.replace('-4a', '-1a')), 'msg.payload.reference', /version 4/, REFERENCE.replace('-4a', '-1a')],
    [asks('order-7', { operation: 'net' }), 'msg.payload.reference', /a UUID of version 4/, '"order-7"'],
    [asks(REFERENCE, { operation: 'guess' }), 'msg.operation', /one of status, net, journal/, '"guess"'],
    [asks(REFERENCE, { selector: 'middle' }), 'msg.selector', /first, last, all, or a position/, '"middle"'],
    [asks(REFERENCE, { selector: 0 }), 'msg.selector', /counted from 1/, '"0"'],
    [asks(REFERENCE, { selector: '-1' }), 'msg.selector', /counted from 1/, '"-1"'],
    [asks(REFERENCE, { selector: 1.5 }), 'msg.selector', /text/, '1.5'],
    [asks({ id: 1 }, { operation: 'journal' }), 'msg.payload.reference', /text/, '{"id":1}'],
  ],
};
