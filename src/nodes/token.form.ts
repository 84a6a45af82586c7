import { LISTENS } from './shared/colors.js';
import { choice } from './shared/field-kinds.js';
import { defineAction } from './shared/form.js';
import { BUSY, MERCHANT, METADATA, original, TERMINAL } from './shared/groups.js';

export default defineAction({
  type: 'payment-token',
  color: LISTENS,
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
