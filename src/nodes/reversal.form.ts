import { MONEY } from './form/colors.js';
import { amount, choice, currency, flag, text } from './form/fields.js';
import { defineAction } from './form/form.js';
import { BUSY_OR_START, original, TERMINAL } from './form/groups.js';

export default defineAction({
  type: 'payment-reversal',
  color: MONEY,
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        TERMINAL,
        choice('where', ['gateway', 'terminal']),
        ...original(true),
        choice('whole', ['whole', 'part']),
        amount('amount', 'payload.amount'),
        choice('unit', ['major', 'minor']),
        currency('payload.currency'),
        text('reason'),
        text('timestamp'),
      ],
    },
    {
      name: 'terminalReversal',
      open: false,
      fields: [
        choice('operation', ['saleReversal', 'refundReversal', 'preAuthorizationReversal', 'moToReversal']),
        flag('cardPresent', false),
      ],
    },
    BUSY_OR_START,
  ],
  needs: [{ capability: 'partialReversal', when: { where: 'gateway', whole: 'part' } }],
});
