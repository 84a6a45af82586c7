import { MONEY } from './shared/colors.js';
import { amount, choice, flag, text } from './shared/field-kinds.js';
import { defineForm } from './shared/form.js';
import { ENVIRONMENT, original } from './shared/groups.js';

export default defineForm({
  type: 'payment-tip',
  category: 'payments',
  color: MONEY,
  icon: 'payment-tip.svg',
  inputs: 1,
  outputs: ['done', 'notDone', 'attention'],
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        ENVIRONMENT,
        ...original(true),
        amount('tip', 'tip', true),
        choice('unit', ['major', 'minor']),
        text('currency', 'payload.amount.currency'),
        flag('checkOriginal', true),
      ],
    },
  ],
  needs: [{ capability: 'tipAdjustment', when: { tip: true } }],
});
