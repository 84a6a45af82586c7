import { LISTENS } from './shared/colors.js';
import { defineForm } from './shared/form.js';
import { ENVIRONMENT } from './shared/groups.js';

export default defineForm({
  type: 'payment-callback-in',
  category: 'payments',
  color: LISTENS,
  icon: 'payment-callback-in.svg',
  inputs: 0,
  outputs: ['results'],
  groups: [
    {
      name: 'main',
      open: true,
      fields: [ENVIRONMENT, { kind: 'select', name: 'emit', options: ['all', 'unclaimed'], default: 'all' }],
    },
  ],
});
