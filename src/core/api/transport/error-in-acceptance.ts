import type { RefusedError } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { saysHowItEnded } from '../schema/transaction-result.js';
import { parse, refusalFrom } from './error-answer.js';

/**
 * The refusal in a 2xx of `POST /transactions`: a terminal number counts under any status.
 * @returns undefined if it accepts; `unclear` if it says another error and no result id, or says that the operation has begun
 * beside the number
 */
export function refusalInAcceptance(status: number, body: string): RefusedError | 'unclear' | undefined {
  const said = parse(body);
  if (!isObject(said) || isNoError(said.error)) return undefined;
  const refusal = refusalFrom(status, body, 'terminal');
  if (refusal === undefined) return isNoError(said.transactionResultId) ? 'unclear' : undefined;
  return saysItBegan(said) ? 'unclear' : refusal;
}

/** Whether the body of a refusal of `POST /transactions` contradicts it. */
export function isRefusedAndBegun(body: string): boolean {
  const said = parse(body);
  return isObject(said) && saysItBegan(said);
}

function saysItBegan(said: Record<string, unknown>): boolean {
  return !isNoError(said.transactionResultId) || saysHowItEnded(said);
}

/** What a service may leave in a field for an error that there was not. */
export function isNoError(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length === 0;
  return !value || value === '0' || String(value).trim() === '';
}
