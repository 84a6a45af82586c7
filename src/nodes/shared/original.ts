import { InputError } from '../../core/errors.js';
import type { OperationRecord } from '../../core/operation.js';
import { type Original, type Part, partOf } from './follow-up.js';
import { type Money, major } from './money-in.js';
import type { Readings } from './read.js';
import { flagOf, reading } from './values.js';

/** What the journal knows of an earlier payment refuses at once what the service would refuse later. */

/**
 * @param limit what the amount may not be above
 * @throws InputError when it is
 */
export function guardOriginal(original: Original, values: Readings, money: Money, limit: Part): void {
  if (flagOf(reading(values, 'checkOriginal')) === false) return;
  const most = partOf(original, limit, money.source);
  if (most === undefined || money.minor <= most.minor) return;
  throw new InputError(money.source, `at most ${major(most)}, what the original has left`, major(money));
}

/** Whether the cardholder has chosen a tip already, on the tip screen of a sale. */
export function hadTipScreen(record: OperationRecord | undefined): boolean {
  return record?.kind === 'terminal' && record.request.tipConfiguration !== undefined;
}
