import { MONEY } from './form/colors.js';
import { amount, choice, flag, template } from './form/fields.js';
import { main, only } from './form/form.js';
import {
  ADDRESS,
  ADDRESS_NEEDS,
  CARD,
  MERCHANT,
  METADATA,
  money,
  original,
  TERMINAL,
  waitingOrStart,
} from './form/groups.js';
import { defineMoneyAction } from './form/money-action.js';

const CREATE = [{ operation: ['create'] }];
const LATER = [{ operation: ['increase', 'decrease', 'capture', 'release'] }];
const NOT_RELEASE = [{ operation: ['create', 'increase', 'decrease', 'capture'] }];
const CAPTURE = [{ operation: ['capture'] }];

export default defineMoneyAction({
  type: 'payment-preauth',
  color: MONEY,
  groups: [
    main(
      TERMINAL,
      choice('operation', ['create', 'increase', 'decrease', 'capture', 'release']),
      ...money(false).map((field) => only(NOT_RELEASE, field)),
      only(CAPTURE, amount('tip')),
      ...original(false).map((field) => only(LATER, field)),
      only(NOT_RELEASE, template('customerReference', '{{payload.customerReference}}')),
      only(CAPTURE, flag('checkOriginal', true)),
    ),
    waitingOrStart(CREATE, LATER),
    only(CREATE, CARD),
    only(CREATE, ADDRESS),
    only(NOT_RELEASE, MERCHANT),
    only(CREATE, METADATA),
  ],
  needs: ADDRESS_NEEDS.map(({ capability, when }) => ({ capability, when: { operation: 'create', ...when } })),
});
