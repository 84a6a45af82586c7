import type { RefusedError } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { saysHowItEnded } from '../schema/transaction-result.js';
import { parse, refusalFrom, saysNothing } from './error-answer.js';

/**
 * The refusal in a 2xx of `POST /transactions`: a terminal number counts under any status.
 * @returns undefined if it accepts; `unclear` if it says another error and no result id, or says that the operation has begun
 * beside the number
 */
export function refusalInAcceptance(status: number, body: string): RefusedError | 'unclear' | undefined {
  const said = parse(body);
  if (!isObject(said) || saysNothing(said.error)) return undefined;
  const refusal = refusalFrom(status, body, 'terminal');
  const hasResultId = !saysNothing(said.transactionResultId);
  if (refusal === undefined) return hasResultId ? undefined : 'unclear';
  return hasResultId || saysHowItEnded(said) ? 'unclear' : refusal;
}
