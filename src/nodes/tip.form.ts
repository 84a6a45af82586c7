import { MONEY } from './form/colors.js';
import { amount, choice, currency, flag } from './form/fields.js';
import { main } from './form/form.js';
import { ENVIRONMENT, original, START } from './form/groups.js';
import { defineMoneyAction } from './form/money-action.js';

export default defineMoneyAction({
  type: 'payment-tip',
  color: MONEY,
  groups: [
    main(
      ENVIRONMENT,
      ...original(true),
      amount('tip', 'tip', true),
      choice('unit', ['major', 'minor']),
      currency('payload.amount.currency'),
      flag('checkOriginal', true),
    ),
    START,
  ],
  needs: [{ capability: 'tipAdjustment', when: { tip: true } }],
});
