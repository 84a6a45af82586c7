import { LISTENS } from './shared/colors.js';
import { choice, flag, json } from './shared/field-kinds.js';
import { defineForm } from './shared/form.js';
import { BUSY, TERMINAL } from './shared/groups.js';

export default defineForm({
  type: 'payment-device',
  category: 'payments',
  color: LISTENS,
  icon: 'payment-device.svg',
  inputs: 1,
  outputs: ['done', 'notDone', 'attention'],
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        TERMINAL,
        choice('operation', [
          'list',
          'pingDevice',
          'stopCurrentTransaction',
          'printReceipt',
          'cardPan',
          'set-unattended-mode',
          'set-locale',
          'reboot',
          'set-password-protected',
          'set-screen-brightness',
          'set-reboot-time',
          'set-security-policy',
        ]),
        { kind: 'template', name: 'receipt', default: '{{{payload.receipts.customer.value}}}', html: true },
        json('settings'),
        flag('returnDeviceInfo', true),
      ],
    },
    BUSY,
  ],
});
