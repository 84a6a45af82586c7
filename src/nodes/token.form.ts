import { LISTENS } from './shared/colors.js';
import { choice } from './shared/field-kinds.js';
import { defineForm } from './shared/form.js';
import { BUSY, MERCHANT, METADATA, original, TERMINAL } from './shared/groups.js';

export default defineForm({
  type: 'payment-token',
  category: 'payments',
  color: LISTENS,
  icon: 'payment-token.svg',
  inputs: 1,
  outputs: ['done', 'notDone', 'attention'],
  groups: [
    {
      name: 'main',
      open: true,
      fields: [TERMINAL, choice('operation', ['fetch', 'tokenizeCard']), ...original(false)],
    },
    BUSY,
    MERCHANT,
    METADATA,
  ],
  needs: [{ capability: 'deferredToken', when: { operation: 'fetch' } }],
});
