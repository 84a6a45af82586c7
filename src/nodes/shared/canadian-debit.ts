import { InputError } from '../../core/errors.js';
import type { ActionContext } from './action-node.js';
import type { Original } from './follow-up.js';
import { reading } from './values.js';

/** What the acquirer does with other cards, but not with Canadian debit; and what to do instead. */
const INSTEAD = {
  reversal: 'no reversal of Canadian debit, which is given back by a linked refund',
  tip: 'no tip adjustment of Canadian debit, which takes a tip on the terminal alone',
  adjustment: 'no change of a hold on Canadian debit, of which the whole is released and held anew',
} as const;

/** A hold is released, and a refund has nothing to be given back: that goes with every card. */
const NOT_SALES: ReadonlySet<string> = new Set(['preAuthorization', 'refund']);

/**
 * Refuses at once what the acquirer would refuse later, where the journal knows the card of the original.
 * @throws InputError saying what to do instead
 */
export async function refuseCanadianDebit(
  { values, access }: ActionContext,
  { id: transactionId }: Original,
  asked: keyof typeof INSTEAD,
): Promise<void> {
  if (!access.settings.checkGroup) return;
  const engine = await access.engine();
  const [original] = await engine.find({ transactionId }, 1);
  if (asked === 'reversal' && NOT_SALES.has(original?.operation ?? '')) return;
  const scheme = original?.result?.cardSchemeName;
  if (typeof scheme === 'string' && scheme.toUpperCase() === 'INTERAC') {
    throw new InputError(reading(values, 'original').source, INSTEAD[asked], scheme);
  }
}
