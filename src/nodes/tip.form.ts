import { MONEY } from './shared/colors.js';
import { amount, choice, currency, flag } from './shared/field-kinds.js';
import { defineAction } from './shared/form.js';
import { ENVIRONMENT, original } from './shared/groups.js';

export default defineAction({
  type: 'payment-tip',
  color: MONEY,
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        ENVIRONMENT,
        ...original(true),
        amount('tip', 'tip', true),
        choice('unit', ['major', 'minor']),
        currency('payload.amount.currency'),
        flag('checkOriginal', true),
      ],
    },
  ],
  needs: [{ capability: 'tipAdjustment', when: { tip: true } }],
});
