import { CONFIG } from './shared/colors.js';
import { defineForm } from './shared/form.js';

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
        { kind: 'config', name: 'environment', type: 'payment-environment', required: true },
        { kind: 'text', name: 'serialNumber', default: '' },
        { kind: 'text', name: 'terminalType', default: '' },
      ],
    },
  ],
});
