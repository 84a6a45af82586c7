import { MONEY } from './form/colors.js';
import { choice, flag, template, text } from './form/fields.js';
import { main, only } from './form/form.js';
import {
  ADDRESS,
  ADDRESS_NEEDS,
  CARD,
  MERCHANT,
  METADATA,
  money,
  original,
  TERMINAL,
  waitingOrStart,
} from './form/groups.js';
import { defineMoneyAction } from './form/money-action.js';

const WITH_TOKEN = [{ how: ['token', 'tokenOnTerminal'] }];
const ON_TERMINAL = [{ how: ['keyed', 'tokenOnTerminal'] }];
const CHARGING_ON_TERMINAL = [{ how: ['keyed', 'tokenOnTerminal'], operation: ['sale', 'preAuthorization'] }];
const LINKED_REFUND = [{ operation: ['refund'], linked: ['linked'] }];
const ABOUT_ORIGINAL = [{ operation: ['reversal'] }, ...LINKED_REFUND];

export default defineMoneyAction({
  type: 'payment-moto',
  color: MONEY,
  groups: [
    main(
      TERMINAL,
      choice('operation', ['sale', 'refund', 'reversal', 'preAuthorization']),
      choice('how', ['token', 'keyed', 'tokenOnTerminal']),
      only(WITH_TOKEN, text('cardToken', 'payload.card.token')),
      ...money(true),
      template('customerReference', '{{payload.customerReference}}'),
    ),
    {
      name: 'original',
      open: false,
      cases: [{ operation: ['refund', 'reversal'] }],
      fields: [
        only([{ operation: ['refund'] }], choice('linked', ['unlinked', 'linked'])),
        ...original(false).map((field) => only(ABOUT_ORIGINAL, field)),
        only(ABOUT_ORIGINAL, flag('checkOriginal', true)),
      ],
    },
    {
      name: 'channel',
      open: false,
      cases: [{ operation: ['sale', 'refund'] }],
      fields: [choice('channel', ['none', 'MO', 'TO'])],
    },
    only([{ operation: ['sale'] }], ADDRESS),
    MERCHANT,
    waitingOrStart(ON_TERMINAL, [{ how: ['token'] }], CHARGING_ON_TERMINAL),
    only(ON_TERMINAL, CARD),
    only(ON_TERMINAL, METADATA),
  ],
  needs: [
    { capability: 'tokenPayment', when: { operation: 'sale', how: 'token' } },
    { capability: 'tokenPayment', when: { operation: 'sale', how: 'tokenOnTerminal' } },
    { capability: 'tokenPayment', when: { operation: 'refund', linked: 'unlinked', how: 'token' } },
    ...ADDRESS_NEEDS,
  ],
});
