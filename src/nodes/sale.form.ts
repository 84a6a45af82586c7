import { MONEY } from './form/colors.js';
import { choice, template } from './form/fields.js';
import { main } from './form/form.js';
import {
  ADDRESS,
  ADDRESS_NEEDS,
  CARD,
  MERCHANT,
  METADATA,
  money,
  REMITTANCE,
  REMITTANCE_NEEDS,
  TERMINAL,
  TIP,
  WAITING,
} from './form/groups.js';
import { defineMoneyAction } from './form/money-action.js';

export default defineMoneyAction({
  type: 'payment-sale',
  color: MONEY,
  groups: [
    main(
      TERMINAL,
      choice('operation', ['sale', 'saleAndTokenizeCard']),
      ...money(true),
      template('customerReference', '{{payload.customerReference}}'),
    ),
    WAITING,
    TIP,
    CARD,
    ADDRESS,
    MERCHANT,
    REMITTANCE,
    METADATA,
  ],
  needs: [...ADDRESS_NEEDS, ...REMITTANCE_NEEDS],
});
