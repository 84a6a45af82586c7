import { saidAmount } from '../../base/money.js';
import { textOf } from '../../base/objects.js';
import type { BackOfficeOperation } from '../../operation/back-office-order.js';
import { requestedOf } from './amounts.js';
import type { Asked } from './asked.js';
import type { Reply } from './reply.js';

/** Whether the amounts of an approving answer can be read, and are any: what cannot be read may be another than was asked for. */

/** Where an answer says how much: of each list the first that is there counts. */
const FIELDS: Partial<Record<BackOfficeOperation, readonly (readonly string[])[]>> = {
  reversal: [['amount']],
  'moto/sale': [['amount']],
  'moto/refund': [['amount']],
  'moto/reversal': [['amount']],
  'preauthorization/capture': [['capturedAmount', 'amount'], ['tipAmount']],
  'preauthorization/increase': [['increaseAmount'], ['holdAmount']],
  'tip-adjustment': [['tipAmount', 'amount']],
};

/** Why they cannot; undefined where they can. */
export function whyUnreadable({ request, reverses }: Asked, { approved, raw, ...said }: Reply): string | undefined {
  const asked = requestedOf(request);
  // A hold is released as a whole, whatever amount that names.
  if (!approved || (asked === undefined && reverses !== 'money')) return undefined;
  const currency = said.currency || asked?.currency;
  if (currency === undefined) return undefined;
  for (const names of FIELDS[request.operation] ?? []) {
    const value = names.map((name) => raw[name]).find((one) => one !== undefined && one !== null && one !== '');
    if (value !== undefined && saidAmount(textOf(value), currency) === undefined)
      return `approves, and its ${names[0]} cannot be read`;
  }
  const isNothingAsked = saidAmount(asked?.amount, asked?.currency) === 0n;
  return !isNothingAsked && saidAmount(said.amount, currency) === 0n ? 'approves an amount of nothing' : undefined;
}
