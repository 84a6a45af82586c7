import { LISTENS } from './shared/colors.js';
import { choice, text } from './shared/field-kinds.js';
import { defineAction } from './shared/form.js';
import { TERMINAL } from './shared/groups.js';

export default defineAction({
  type: 'payment-batch',
  color: LISTENS,
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
