import { LISTENS } from './form/colors.js';
import { choice, text } from './form/fields.js';
import { defineAction, main, only } from './form/form.js';
import { START, TERMINAL } from './form/groups.js';

export default defineAction({
  type: 'payment-batch',
  color: LISTENS,
  groups: [
    main(TERMINAL, choice('operation', ['close', 'summary', 'detail']), text('batchNumber', 'payload.batch')),
    only([{ operation: ['detail'] }], {
      name: 'filter',
      open: false,
      fields: [text('rrn'), text('customerReference')],
    }),
    START,
  ],
  needs: [{ capability: 'batch', when: { operation: true } }],
});
