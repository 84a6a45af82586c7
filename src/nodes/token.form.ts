import { LISTENS } from './form/colors.js';
import { choice } from './form/fields.js';
import { defineAction, main, only } from './form/form.js';
import { busyOrStart, MERCHANT, METADATA, original, TERMINAL } from './form/groups.js';

const ON_TERMINAL = [{ operation: ['tokenizeCard'] }];

export default defineAction({
  type: 'payment-token',
  color: LISTENS,
  groups: [
    main(
      TERMINAL,
      choice('operation', ['fetch', 'tokenizeCard']),
      ...original(false).map((field) => only([{ operation: ['fetch'] }], field)),
    ),
    busyOrStart(ON_TERMINAL, [{ operation: ['fetch'] }]),
    only(ON_TERMINAL, MERCHANT),
    only(ON_TERMINAL, METADATA),
  ],
  needs: [{ capability: 'deferredToken', when: { operation: 'fetch' } }],
});
