import { MONEY } from './form/colors.js';
import { choice, flag, template } from './form/fields.js';
import { BUSY, CARD, MERCHANT, METADATA, money, original, TERMINAL } from './form/groups.js';
import { defineMoneyAction } from './form/money-action.js';

export default defineMoneyAction({
  type: 'payment-refund',
  color: MONEY,
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        TERMINAL,
        choice('operation', ['linked', 'unlinked']),
        ...original(false),
        ...money(true),
        template('customerReference', '{{payload.customerReference}}'),
        flag('checkOriginal', true),
      ],
    },
    BUSY,
    CARD,
    MERCHANT,
    METADATA,
  ],
});
