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

const ORIGINAL = 'msg.payload.transactionId';
const AMOUNT = 'msg.payload.amount';

export const REFUND: BadInput = {
  type: 'payment-refund',
  config: fromMessage('operation', 'unit', 'checkOriginal', 'busyWait', 'merchantAuth'),
  also: { operation: 'linked', unit: 'major' },
  rows: [
    [paid({ transactionId: undefined }), ORIGINAL, /transactionId of an earlier payment/, 'nothing'],
    [paid({ transactionId: '' }), ORIGINAL, /transactionId of an earlier payment/, 'nothing'],
    [paid({ transactionId: 42.5 }), ORIGINAL, /text/, '42.5'],
    [paid({ transactionId: ['a'] }), ORIGINAL, /text/, '["a"]'],
    [paid({ transactionId: 'x'.repeat(65) }), 'msg.payload.transactionId', /at most 64 characters/, 'xxx'],
    ...badAmounts(AMOUNT, (amount) => paid({ amount })),
    [paid({ amount: undefined }), AMOUNT, /a decimal/, 'nothing'],
    [paid({ amount: '0.00' }), 'msg.payload.amount', /above 0/, '"0.00"'],
    [paid({ amount: { total: '5,00', currency: 'EUR', minor: {} } }), `${AMOUNT}.total`, /decimal/, '"5,00"'],
    [paid({ amount: { total: '5.00', currency: 'euro', minor: {} } }), 'currency', /ISO 4217/, '"euro"'],
    [paid({ amount: { total: '5.00', currency: 'EUR' } }), AMOUNT, /decimal/, '{"total":"5.00","currency":"EUR"}'],
    [paid({ currency: 'EURO' }), 'currency', /ISO 4217/, '"EURO"'],
    [paid({ currency: ['EUR'] }), 'msg.payload.currency', /text/, '["EUR"]'],
    ...badChoice('operation', 'linked, unlinked', 'all', paid()),
    ...badChoice('unit', 'major, minor', 'cents', paid()),
    [{ ...paid({ amount: '5.00' }), unit: 'minor' }, AMOUNT, /minor units such as 1250/, '"5.00"'],
    [{ ...paid(), checkOriginal: 'maybe' }, 'msg.checkOriginal', /true or false/, '"maybe"'],
    [paid({ metadata5: 'two words' }), 'metadata5 from msg.payload.metadata5', /no spaces/, '"two words"'],
    [
      paid({ customerReference: { order: 7 } }),
      'customerReference',
      /text in payload.customerReference/,
      '{"order":7}',
    ],
    [paid({ metadata1: [{ order: 7 }] }), 'metadata1', /text in payload.metadata1/, '[{"order":7}]'],
    ...badTerminals({ ...paid(), operation: 'unlinked' }),
    ...badWaits(paid()),
    ...badMerchants({ ...paid(), operation: 'unlinked' }),
  ],
};
