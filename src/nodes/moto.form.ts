import { MONEY } from './form/colors.js';
import { choice, flag, template, text } from './form/fields.js';
import { defineAction } from './form/form.js';
import { ADDRESS, ADDRESS_NEEDS, BUSY_OR_START, MERCHANT, METADATA, money, original, TERMINAL } from './form/groups.js';

export default defineAction({
  type: 'payment-moto',
  color: MONEY,
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        TERMINAL,
        choice('operation', ['sale', 'refund', 'reversal', 'preAuthorization']),
        choice('how', ['token', 'keyed', 'tokenOnTerminal']),
        text('cardToken', 'payload.card.token'),
        ...money(true),
        template('customerReference', '{{payload.customerReference}}'),
      ],
    },
    {
      name: 'original',
      open: false,
      fields: [choice('linked', ['unlinked', 'linked']), ...original(false), flag('checkOriginal', true)],
    },
    { name: 'channel', open: false, fields: [choice('channel', ['none', 'MO', 'TO'])] },
    ADDRESS,
    MERCHANT,
    BUSY_OR_START,
    METADATA,
  ],
  needs: [
    { capability: 'tokenPayment', when: { operation: 'sale', how: 'token' } },
    { capability: 'tokenPayment', when: { operation: 'sale', how: 'tokenOnTerminal' } },
    { capability: 'tokenPayment', when: { operation: 'refund', linked: 'unlinked', how: 'token' } },
    ...ADDRESS_NEEDS,
  ],
});
