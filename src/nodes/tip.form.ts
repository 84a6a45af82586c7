import { MONEY } from './form/colors.js';
import { amount, choice, currency, flag } from './form/fields.js';
import { defineAction } from './form/form.js';
import { ENVIRONMENT, original, START } from './form/groups.js';

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
    START,
  ],
  needs: [{ capability: 'tipAdjustment', when: { tip: true } }],
});
