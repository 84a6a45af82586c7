import { CONFIG } from './shared/colors.js';
import { defineForm } from './shared/form.js';
import { ENVIRONMENT } from './shared/groups.js';

export default defineForm({
  type: 'payment-terminal',
  category: 'config',
  color: CONFIG,
  icon: 'payment-sale.svg',
  inputs: 0,
  outputs: [],
  labelFrom: 'serialNumber',
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        ENVIRONMENT,
        { kind: 'text', name: 'serialNumber', default: '' },
        { kind: 'text', name: 'terminalType', default: '' },
      ],
    },
  ],
});
