import { LISTENS } from './shared/colors.js';
import { choice, text } from './shared/field-kinds.js';
import { defineForm } from './shared/form.js';
import { TERMINAL } from './shared/groups.js';

export default defineForm({
  type: 'payment-batch',
  category: 'payments',
  color: LISTENS,
  icon: 'payment-batch.svg',
  inputs: 1,
  outputs: ['done', 'notDone', 'attention'],
  groups: [
    {
      name: 'main',
      open: true,
      fields: [TERMINAL, choice('operation', ['close', 'summary', 'detail']), text('batchNumber', 'payload.batch')],
    },
    { name: 'filter', open: false, fields: [text('rrn'), text('customerReference')] },
  ],
  needs: [{ capability: 'batch', when: { operation: true } }],
});
