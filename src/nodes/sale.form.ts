import { MONEY } from './shared/colors.js';
import { amount, choice, template, text } from './shared/field-kinds.js';
import { defineForm } from './shared/form.js';
import {
  ADDRESS,
  ADDRESS_NEEDS,
  CARD,
  MERCHANT,
  METADATA,
  REMITTANCE,
  REMITTANCE_NEEDS,
  TIP,
  WAITING,
} from './shared/groups.js';

export default defineForm({
  type: 'payment-sale',
  category: 'payments',
  color: MONEY,
  icon: 'payment-sale.svg',
  inputs: 1,
  outputs: ['done', 'notDone', 'attention'],
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        { kind: 'config', name: 'terminal', type: 'payment-terminal', required: true },
        choice('operation', ['sale', 'saleAndTokenizeCard']),
        amount('amount', 'payload.amount', true),
        choice('unit', ['major', 'minor']),
        text('currency', 'payload.currency'),
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
