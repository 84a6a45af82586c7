import { LISTENS } from './form/colors.js';
import { defineForm, main } from './form/form.js';
import { ENVIRONMENT } from './form/groups.js';

export default defineForm({
  type: 'payment-callback-in',
  category: 'payments',
  color: LISTENS,
  icon: 'payment-callback-in.svg',
  inputs: 0,
  outputs: ['results'],
  groups: [main(ENVIRONMENT, { kind: 'select', name: 'emit', options: ['all', 'unclaimed'], default: 'all' })],
});
