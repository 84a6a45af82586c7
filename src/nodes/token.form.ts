import { LISTENS } from './form/colors.js';
import { choice } from './form/fields.js';
import { defineAction } from './form/form.js';
import { BUSY_OR_START, MERCHANT, METADATA, original, TERMINAL } from './form/groups.js';

export default defineAction({
  type: 'payment-token',
  color: LISTENS,
  groups: [
    {
      name: 'main',
      open: true,
      fields: [TERMINAL, choice('operation', ['fetch', 'tokenizeCard']), ...original(false)],
    },
    BUSY_OR_START,
    MERCHANT,
    METADATA,
  ],
  needs: [{ capability: 'deferredToken', when: { operation: 'fetch' } }],
});
