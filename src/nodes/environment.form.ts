import { CONFIG } from './form/colors.js';
import { defineForm, main } from './form/form.js';

const SIMULATED = { field: 'kind', is: 'simulator' };

export default defineForm({
  type: 'payment-environment',
  category: 'config',
  color: CONFIG,
  icon: 'payment-sale.svg',
  inputs: 0,
  outputs: [],
  labelFrom: 'kind',
  groups: [
    main(
      { kind: 'select', name: 'kind', options: ['simulator', 'staging', 'demo', 'live'], default: 'simulator' },
      { kind: 'text', name: 'baseUrl', default: '', looks: 'url', required: true, unless: SIMULATED },
      { kind: 'text', name: 'statusUrl', default: '', looks: 'url', required: true, unless: SIMULATED },
      { kind: 'password', name: 'apiKey', unless: SIMULATED },
      { kind: 'select', name: 'group', options: ['B', 'E', 'S'], default: 'B' },
      { kind: 'checkbox', name: 'checkGroup', default: true },
      { kind: 'text', name: 'currency', default: '', looks: 'currency' },
    ),
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
        { kind: 'password', name: 'secondApiKey', unless: SIMULATED },
        { kind: 'config', name: 'journal', type: 'payment-journal' },
        { kind: 'checkbox', name: 'keepReceipts', default: false },
        { kind: 'number', name: 'receiptDays', default: 30, min: 1, max: 400 },
        { kind: 'number', name: 'requestsPerSecond', default: 2, min: 1, max: 100 },
        { kind: 'checkbox', name: 'countReads', default: false },
      ],
    },
  ],
});
