import { MONEY } from './shared/colors.js';
import { choice, flag, template } from './shared/field-kinds.js';
import { defineAction } from './shared/form.js';
import { BUSY, CARD, MERCHANT, METADATA, money, original, TERMINAL } from './shared/groups.js';

export default defineAction({
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
