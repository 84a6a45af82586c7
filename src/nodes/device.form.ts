import { LISTENS } from './form/colors.js';
import { choice, flag, json } from './form/fields.js';
import { defineAction, main, only } from './form/form.js';
import { BUSY, TERMINAL } from './form/groups.js';

const WITH_SETTINGS = [
  'set-unattended-mode',
  'set-locale',
  'set-password-protected',
  'set-screen-brightness',
  'set-reboot-time',
  'set-security-policy',
] as const;

export default defineAction({
  type: 'payment-device',
  color: LISTENS,
  groups: [
    main(
      TERMINAL,
      choice('operation', [
        'list',
        'pingDevice',
        'stopCurrentTransaction',
        'printReceipt',
        'cardPan',
        'reboot',
        ...WITH_SETTINGS,
      ]),
      only([{ operation: ['printReceipt'] }], {
        kind: 'template',
        name: 'receipt',
        default: '{{{payload.receipts.customer.value}}}',
        html: true,
      }),
      only([{ operation: WITH_SETTINGS }], json('settings')),
      only([{ operation: ['pingDevice'] }], flag('returnDeviceInfo', true)),
    ),
    only([{ operation: ['printReceipt', 'cardPan'] }], BUSY),
  ],
});
