import { type BadInput, badAmounts, badChoice, badStarts, badTerminals, badWaits, fromMessage, paid } from './row.js';

const part = (more: object = {}) => ({ ...paid(more), whole: 'part' });
const onTerminal = (more: object = {}) => ({ ...paid(), where: 'terminal', ...more });
const AMOUNT = 'msg.payload.amount';

export const REVERSAL: BadInput = {
  type: 'payment-reversal',
  config: fromMessage('where', 'whole', 'unit', 'reason', 'operation', 'cardPresent', 'busyWait', 'startWithin'),
  also: { where: 'gateway', whole: 'whole', unit: 'major', operation: 'saleReversal' },
  rows: [
    [paid({ transactionId: undefined }), 'msg.payload.transactionId', /an earlier payment/, 'nothing'],
    [paid({ transactionId: 1.5 }), 'msg.payload.transactionId', /text/, '1.5'],
    [paid({ transactionId: 'x'.repeat(65) }), 'msg.payload.transactionId', /at most 64 characters/, 'xxx'],
    ...badChoice('where', 'gateway, terminal', 'bank', paid()),
    ...badChoice('whole', 'whole, part', 'half', paid()),
    [{ ...paid(), reason: 'too late' }, 'msg.reason', /a reason name/, '"too late"'],
    [{ ...paid(), reason: { code: 1 } }, 'msg.reason', /text/, '{"code":1}'],
    ...badAmounts(AMOUNT, (amount) => part({ amount })),
    [part({ amount: undefined }), AMOUNT, /a decimal such as 12\.50/, 'nothing'],
    [part({ amount: '0' }), 'msg.payload.amount', /above zero/, '"0"'],
    [part({ currency: 'FOO' }), 'currency', /ISO 4217/, '"FOO"'],
    ...badChoice('unit', 'major, minor', 'pence', part()),
    [
      onTerminal(paid({ amount: undefined, currency: undefined })),
      'msg.payload.amount',
      /saleReversal needs it/,
      'nothing',
    ],
    [onTerminal(paid({ amount: '0' })), 'msg.payload.amount', /above 0/, '"0"'],
    [onTerminal({ operation: 'tipReversal' }), 'msg.operation', /one of saleReversal/, '"tipReversal"'],
    [onTerminal({ cardPresent: 'perhaps' }), 'msg.cardPresent', /true or false/, '"perhaps"'],
    [onTerminal({ operation: 'moToReversal', cardPresent: true }), 'cardPresent', /only with saleReversal/, 'true'],
    ...badTerminals(onTerminal()),
    ...badWaits(onTerminal()),
    ...badStarts(paid()),
  ],
};
