import { MONEY } from './shared/colors.js';
import { amount, template, text } from './shared/field-kinds.js';
import { defineForm } from './shared/form.js';
import { ADDRESS, CARD, MERCHANT, METADATA, REMITTANCE, TIP, WAITING } from './shared/groups.js';

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
        { kind: 'select', name: 'operation', options: ['sale', 'saleAndTokenizeCard'], default: 'sale' },
        amount('amount', 'payload.amount', true),
        { kind: 'select', name: 'unit', options: ['major', 'minor'], default: 'major' },
        text('currency', 'payload.currency'),
        template('customerReference'),
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
});
