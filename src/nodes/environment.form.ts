import { CONFIG } from './shared/colors.js';
import { defineForm } from './shared/form.js';

export default defineForm({
  type: 'payment-environment',
  category: 'config',
  color: CONFIG,
  icon: 'payment-sale.svg',
  inputs: 0,
  outputs: [],
  labelFrom: 'kind',
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        { kind: 'select', name: 'kind', options: ['simulator', 'staging', 'demo', 'live'], default: 'simulator' },
        { kind: 'text', name: 'baseUrl', default: '', looks: 'url' },
        { kind: 'text', name: 'statusUrl', default: '', looks: 'url' },
        { kind: 'password', name: 'apiKey' },
        { kind: 'select', name: 'group', options: ['B', 'E', 'S'], default: 'B' },
        { kind: 'text', name: 'currency', default: '', looks: 'currency' },
      ],
    },
    {
      name: 'callbacks',
      open: false,
      fields: [
        { kind: 'text', name: 'callbackUrl', default: '', looks: 'url' },
        { kind: 'password', name: 'callbackSecret' },
      ],
    },
    {
      name: 'advanced',
      open: false,
      fields: [
        { kind: 'config', name: 'journal', type: 'payment-journal' },
        { kind: 'number', name: 'requestsPerSecond', default: 2, min: 1, max: 100 },
        { kind: 'checkbox', name: 'countReads', default: false },
      ],
    },
  ],
});
