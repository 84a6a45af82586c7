import { LISTENS } from './form/colors.js';
import { choice, flag, json } from './form/fields.js';
import { defineAction } from './form/form.js';
import { BUSY, TERMINAL } from './form/groups.js';

export default defineAction({
  type: 'payment-device',
  color: LISTENS,
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
