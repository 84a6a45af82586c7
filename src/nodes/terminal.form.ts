import { CONFIG } from './form/colors.js';
import { defineForm, main } from './form/form.js';
import { ENVIRONMENT } from './form/groups.js';

export default defineForm({
  type: 'payment-terminal',
  category: 'config',
  color: CONFIG,
  icon: 'payment-sale.svg',
  inputs: 0,
  outputs: [],
  labelFrom: 'serialNumber',
  groups: [
    main(
      ENVIRONMENT,
      { kind: 'text', name: 'serialNumber', default: '' },
      { kind: 'text', name: 'terminalType', default: '' },
      { kind: 'checkbox', name: 'exclusive', default: true },
    ),
  ],
});
