import { LISTENS } from './form/colors.js';
import { choice, text } from './form/fields.js';
import { defineForm } from './form/form.js';
import { ENVIRONMENT } from './form/groups.js';

export default defineForm({
  type: 'payment-status',
  category: 'payments',
  color: LISTENS,
  icon: 'payment-status.svg',
  inputs: 1,
  outputs: ['found', 'notFound'],
  groups: [
    {
      name: 'main',
      open: true,
      fields: [
        ENVIRONMENT,
        choice('operation', ['status', 'net', 'journal']),
        text('reference', 'payload.reference', true),
        text('selector'),
      ],
    },
  ],
});
