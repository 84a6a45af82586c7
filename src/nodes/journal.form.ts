import { CONFIG } from './form/colors.js';
import { defineForm, main } from './form/form.js';

export default defineForm({
  type: 'payment-journal',
  category: 'config',
  color: CONFIG,
  icon: 'payment-sale.svg',
  inputs: 0,
  outputs: [],
  groups: [
    main(
      { kind: 'select', name: 'store', options: ['embedded', 'postgresql'], default: 'embedded' },
      { kind: 'text', name: 'folder', default: '', unless: { field: 'store', is: 'postgresql' } },
      { kind: 'password', name: 'address', unless: { field: 'store', is: 'embedded' } },
      { kind: 'password', name: 'directAddress', unless: { field: 'store', is: 'embedded' } },
      { kind: 'number', name: 'keepDays', default: 400, min: 3, max: 36_500 },
    ),
  ],
});
