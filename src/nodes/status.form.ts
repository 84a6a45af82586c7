import { LISTENS } from './form/colors.js';
import { choice, text } from './form/fields.js';
import { defineForm, main, only } from './form/form.js';
import { ENVIRONMENT } from './form/groups.js';

export default defineForm({
  type: 'payment-status',
  category: 'payments',
  color: LISTENS,
  icon: 'payment-status.svg',
  calledBy: 'operation',
  inputs: 1,
  outputs: ['found', 'notFound'],
  groups: [
    main(
      ENVIRONMENT,
      choice('operation', ['status', 'net', 'journal']),
      text('reference', 'payload.reference', true),
      only([{ operation: ['status'] }], text('selector')),
    ),
  ],
});
