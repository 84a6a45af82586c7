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

const change = (operation: string, more: object = {}) => ({ ...paid(more), operation });
const AMOUNT = 'msg.payload.amount';
const ORIGINAL = 'msg.payload.transactionId';
const unknown = { transactionId: undefined };
const long = 'x'.repeat(65);

export const PREAUTH: BadInput = {
  type: 'payment-preauth',
  config: {
    ...fromMessage('operation', 'unit', 'tip', 'checkOriginal', 'busyWait', 'deadline', 'lateApproval'),
    ...fromMessage('partialApproval', 'duplicateCheck', 'bypassSignature', 'bypassPin', 'tokenize', 'merchantAuth'),
  },
  also: { operation: 'create', unit: 'major', lateApproval: 'report', partialApproval: 'accept' },
  rows: [
    [change('extend'), 'msg.operation', /one of create, increase, decrease, capture, release/, '"extend"'],
    ...badAmounts(AMOUNT, (amount) => paid({ amount })),
    [paid({ amount: undefined }), AMOUNT, /a decimal such as 12\.50/, 'nothing'],
    [paid({ amount: '0' }), 'msg.payload.amount', /above 0/, '"0"'],
    [paid({ currency: 'EU' }), 'currency', /ISO 4217/, '"EU"'],
    ...badChoice('unit', 'major, minor', 'cents', paid()),
    [{ ...paid(), duplicateCheck: 'no' }, 'msg.duplicateCheck', /true or false/, '"no"'],
    [{ ...paid(), tokenize: 1 }, 'msg.tokenize', /true or false/, '1'],
    [{ ...paid(), deadline: 9 }, 'msg.deadline', /from 10 to 360/, '9'],
    ...badChoice('lateApproval', 'report, reverse', 'keep', paid()),
    [paid({ metadata3: 'a b' }), 'metadata3', /no spaces/, '"a b"'],
    [change('increase', { amount: undefined }), AMOUNT, /a decimal such as 12\.50/, 'nothing'],
    [change('increase', { amount: '0.00' }), 'msg.payload.amount', /above zero/, '"0.00"'],
    [change('increase', unknown), ORIGINAL, /an earlier payment/, 'nothing'],
    [change('increase', { amount: '-5.00' }), AMOUNT, /decimal/, '"-5.00"'],
    [change('increase', { customerReference: long }), 'customerReference', /at most 64 characters/, 'xxx'],
    [change('decrease', { amount: 'all' }), AMOUNT, /decimal/, '"all"'],
    [change('decrease', unknown), ORIGINAL, /an earlier payment/, 'nothing'],
    [change('decrease', { transactionId: long }), 'msg.payload.transactionId', /at most 64 characters/, 'xxx'],
    [change('capture', { amount: undefined }), AMOUNT, /a decimal such as 12\.50/, 'nothing'],
    [change('capture', { amount: '0' }), 'msg.payload.amount', /above zero/, '"0"'],
    [change('capture', unknown), ORIGINAL, /an earlier payment/, 'nothing'],
    [{ ...change('capture'), tip: 'ten' }, 'msg.tip', /decimal/, '"ten"'],
    [{ ...change('capture'), tip: -1 }, 'msg.tip', /decimal/, '-1'],
    [{ ...change('capture'), checkOriginal: 0 }, 'msg.checkOriginal', /true or false/, '0'],
    [change('capture', { customerReference: long }), 'customerReference', /at most 64 characters/, 'xxx'],
    [change('release', unknown), ORIGINAL, /an earlier payment/, 'nothing'],
    [change('release', { transactionId: 0.5 }), ORIGINAL, /text/, '0.5'],
    ...badTerminals(paid()),
    ...badWaits(paid()),
    ...badMerchants(change('capture')),
  ],
};
