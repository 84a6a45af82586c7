import { MONEY } from './shared/colors.js';
import { choice, flag, template } from './shared/field-kinds.js';
import { defineForm } from './shared/form.js';
import { BUSY, MERCHANT, METADATA, money, original, TERMINAL } from './shared/groups.js';

export default defineForm({
  type: 'payment-refund',
  category: 'payments',
  color: MONEY,
  icon: 'payment-refund.svg',
  inputs: 1,
  outputs: ['done', 'notDone', 'attention'],
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
    MERCHANT,
    METADATA,
  ],
});
