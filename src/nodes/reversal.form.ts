import { MONEY } from './form/colors.js';
import { amount, choice, currency, flag, text } from './form/fields.js';
import { main, only } from './form/form.js';
import { busyOrStart, original, TERMINAL } from './form/groups.js';
import { defineMoneyAction } from './form/money-action.js';

const AT_GATEWAY = [{ where: ['gateway'] }];
const ON_TERMINAL = [{ where: ['terminal'] }];
/** On the terminal the amount of a full reversal is needed too, where the journal does not know the payment. */
const PART = [{ whole: ['part'] }, ...ON_TERMINAL];

export default defineMoneyAction({
  type: 'payment-reversal',
  color: MONEY,
  groups: [
    main(
      TERMINAL,
      choice('where', ['gateway', 'terminal']),
      ...original(true),
      choice('whole', ['whole', 'part']),
      only(PART, amount('amount', 'payload.amount')),
      only(PART, choice('unit', ['major', 'minor'])),
      only(PART, currency('payload.currency')),
      flag('checkOriginal', true),
      only(AT_GATEWAY, text('reason')),
      only(AT_GATEWAY, text('timestamp')),
    ),
    {
      name: 'terminalReversal',
      open: false,
      cases: ON_TERMINAL,
      fields: [
        choice('operation', ['saleReversal', 'refundReversal', 'preAuthorizationReversal', 'moToReversal']),
        flag('cardPresent', false),
      ],
    },
    busyOrStart(ON_TERMINAL, AT_GATEWAY),
  ],
  needs: [{ capability: 'partialReversal', when: { where: 'gateway', whole: 'part' } }],
});
