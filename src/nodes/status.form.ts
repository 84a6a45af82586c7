import { LISTENS } from './shared/colors.js';
import { choice, text } from './shared/field-kinds.js';
import { defineForm } from './shared/form.js';
import { ENVIRONMENT } from './shared/groups.js';

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
