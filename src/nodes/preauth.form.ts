import { MONEY } from './form/colors.js';
import { amount, choice, flag, template } from './form/fields.js';
import { defineAction } from './form/form.js';
import {
  ADDRESS,
  ADDRESS_NEEDS,
  CARD,
  MERCHANT,
  METADATA,
  money,
  original,
  TERMINAL,
  WAITING_OR_START,
} from './form/groups.js';

export default defineAction({
  type: 'payment-preauth',
  color: MONEY,
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        TERMINAL,
        choice('operation', ['create', 'increase', 'decrease', 'capture', 'release']),
        ...money(false),
        amount('tip'),
        ...original(false),
        template('customerReference', '{{payload.customerReference}}'),
        flag('checkOriginal', true),
      ],
    },
    WAITING_OR_START,
    CARD,
    ADDRESS,
    MERCHANT,
    METADATA,
  ],
  needs: ADDRESS_NEEDS.map(({ capability, when }) => ({ capability, when: { operation: 'create', ...when } })),
});
