import { MONEY } from './form/colors.js';
import { choice, flag, template } from './form/fields.js';
import { main, only } from './form/form.js';
import { BUSY, CARD, MERCHANT, METADATA, money, original, TERMINAL } from './form/groups.js';
import { defineMoneyAction } from './form/money-action.js';

const LINKED = [{ operation: ['linked'] }];

export default defineMoneyAction({
  type: 'payment-refund',
  color: MONEY,
  groups: [
    main(
      TERMINAL,
      choice('operation', ['linked', 'unlinked']),
      ...original(false).map((field) => only(LINKED, field)),
      ...money(true),
      template('customerReference', '{{payload.customerReference}}'),
      only(LINKED, flag('checkOriginal', true)),
    ),
    BUSY,
    CARD,
    MERCHANT,
    METADATA,
  ],
});
