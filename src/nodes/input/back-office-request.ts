import type { BackOfficeDraft } from '../../core/operation/back-office-order.js';
import type { ActionContext } from './context.js';
import { reading } from './field-values.js';

/** Submits an operation that needs no terminal. Resolves with its id. */
export async function submitToBackOffice(
  { environment, origin, values }: ActionContext,
  order: BackOfficeDraft,
): Promise<string> {
  const seconds = reading(values, 'startWithin').value;
  const startWithinMs = seconds === undefined ? null : Number(seconds) * 1000;
  return (await environment.engine()).submitBackOffice({ ...order, startWithinMs }, origin);
}
