import {
  type BadInput,
  badAmounts,
  badChoice,
  badMerchants,
  badTerminals,
  badWaits,
  fromMessage,
  paid,
} from './row.js';

/** A message with the token of a stored card. */
const stored = (more: object = {}) => paid({ card: { token: 'a1b2c3' }, ...more });
const keyed = (more: object = {}) => ({ ...paid(), how: 'keyed', ...more });
const AMOUNT = 'msg.payload.amount';
const TOKEN = 'msg.payload.card.token';
const ORIGINAL = 'msg.payload.transactionId';
const unknown = { transactionId: undefined };

export const MOTO: BadInput = {
  type: 'payment-moto',
  config: {
    ...fromMessage('operation', 'how', 'unit', 'linked', 'channel', 'busyWait', 'merchantAuth'),
    billingAddress: '{{street}}',
  },
  also: { operation: 'sale', how: 'token', unit: 'major', linked: 'unlinked', channel: 'none' },
  rows: [
    ...badChoice('operation', 'sale, refund, reversal', 'gift', stored()),
    [{ ...stored(), operation: 'preAuthorization' }, 'operation', /sale, refund or reversal/, '"preAuthorization"'],
    ...badChoice('how', 'token, keyed', 'by phone', stored()),
    ...badChoice('channel', 'none, MO, TO', 'WEB', stored()),
    [{ ...stored(), operation: 'refund', linked: 'both' }, 'msg.linked', /one of unlinked, linked/, '"both"'],
    ...badChoice('unit', 'major, minor', 'cents', stored()),
    ...badAmounts(AMOUNT, (amount) => stored({ amount })),
    [stored({ amount: '0' }), 'msg.payload.amount', /above zero/, '"0"'],
    [stored({ amount: undefined }), AMOUNT, /a decimal/, 'nothing'],
    [stored({ currency: 'us' }), 'currency', /ISO 4217/, '"us"'],
    [paid(), TOKEN, /the token of a stored card/, 'nothing'],
    [{ ...paid(), operation: 'refund' }, TOKEN, /the token of a stored card/, 'nothing'],
    [stored({ card: { token: { id: 'a1b2c3' } } }), TOKEN, /text/, 'got "[redacted]"'],
    [stored({ card: { token: 'x'.repeat(65) } }), 'msg.payload.card.token', /at most 64 characters/, '[redacted]'],
    [{ ...stored(), street: 'High Street 1' }, 'billingZip', /a text/, 'nothing'],
    [stored({ customerReference: 'x'.repeat(51) }), 'customerReference', /at most 50 characters/, 'xxx'],
    [{ ...stored(unknown), operation: 'refund', linked: 'linked' }, ORIGINAL, /an earlier payment/, 'nothing'],
    [{ ...stored(unknown), operation: 'reversal' }, ORIGINAL, /an earlier payment/, 'nothing'],
    [
      { ...paid({ transactionId: 'x'.repeat(65) }), operation: 'reversal' },
      'msg.payload.transactionId',
      /at most 64/,
      'xxx',
    ],
    ...badMerchants(stored()),
    [keyed(paid({ amount: '0' })), 'msg.payload.amount', /above 0/, '"0"'],
    [keyed({ ...paid(unknown), operation: 'reversal' }), ORIGINAL, /an earlier payment/, 'nothing'],
    [keyed({ ...paid(unknown), operation: 'refund', linked: 'linked' }), ORIGINAL, /an earlier payment/, 'nothing'],
    [keyed({ street: 'High Street 1' }), 'billingZip', /a text/, 'nothing'],
    [keyed(paid({ metadata2: 'ü' })), 'metadata2', /only letters/, '"ü"'],
    ...badTerminals(keyed()),
    ...badWaits(keyed()),
  ],
};
