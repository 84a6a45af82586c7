import { InputError } from '../../core/base/errors.js';
import type { OperationRecord } from '../../core/journal/record.js';
import { kindOf } from '../../core/operation/kinds.js';
import type { RefundLimited } from '../../core/operation/order.js';
import { type Money, major } from './amount.js';
import type { ActionContext } from './context.js';
import { flagOf, reading } from './field-values.js';
import { type Original, partOf } from './original.js';
import type { Readings } from './reading.js';

/** Refuses at once what the service would refuse later, as far as the journal knows the earlier payment. */

/** @throws InputError for a capture of more than is held */
export function guardCapture(hold: Original, values: Readings, money: Money): void {
  if (flagOf(reading(values, 'checkOriginal')) === false) return;
  const most = partOf(hold, 'capturable', money.source);
  if (most === undefined || money.minor <= most.minor) return;
  throw new InputError(money.source, `at most ${major(most)}, the amount left of the original`, major(money));
}

/** The engine compares a refund or a reversal as it records it: two of them may come at once. */
export function refundLimit(values: Readings, { source }: Pick<Money, 'source'>): RefundLimited {
  return flagOf(reading(values, 'checkOriginal')) === false ? {} : { atMostLeft: { source } };
}

/** Whether the cardholder has already chosen a tip, on the tip screen of a sale. */
export function hadTipScreen(record: OperationRecord | undefined): boolean {
  return record?.kind === 'terminal' && record.request.tipConfiguration !== undefined;
}

/** Operations that the acquirer refuses for Canadian debit, and what to do instead. */
const INSTEAD = {
  reversal: 'no reversal of Canadian debit, which is given back by a linked refund',
  tip: 'no tip adjustment of Canadian debit, which takes a tip on the terminal alone',
  adjustment: 'no change of a hold on Canadian debit, of which the whole is released and held anew',
} as const;

/**
 * Refuses at once what the acquirer would refuse later, where the journal knows the card of the original.
 * @throws InputError saying what to do instead
 */
export async function refuseCanadianDebit(
  { values, environment }: ActionContext,
  { id: transactionId }: Original,
  change: keyof typeof INSTEAD,
): Promise<void> {
  if (!environment.settings.checkGroup) return;
  const engine = await environment.engine();
  const [original] = await engine.find({ transactionId }, 1);
  const kind = original && kindOf(original.operation);
  // Releasing a hold and reversing a refund work with every card.
  if (change === 'reversal' && (kind === 'hold' || kind === 'refund')) return;
  const scheme = original?.result?.cardSchemeName;
  if (typeof scheme === 'string' && scheme.toUpperCase() === 'INTERAC') {
    throw new InputError(reading(values, 'original').source, INSTEAD[change], scheme);
  }
}
