import { MONEY } from './shared/colors.js';
import { choice, template } from './shared/field-kinds.js';
import { defineAction } from './shared/form.js';
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
} from './shared/groups.js';

export default defineAction({
  type: 'payment-sale',
  color: MONEY,
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        TERMINAL,
        choice('operation', ['sale', 'saleAndTokenizeCard']),
        ...money(true),
        template('customerReference', '{{payload.customerReference}}'),
      ],
    },
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
