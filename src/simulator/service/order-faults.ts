import type { Fault } from '../infra/faults.js';
import { type Answer, flatError } from '../wire/errors.js';

/** What a proxy, or the service itself, answers to `POST /transactions` in the place of its answer. */

const WEB_PAGE: Answer = {
  status: 502,
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>',
  contentType: 'text/html',
};

/** A body of one of these with an `error` says for certain that nothing has started: none does after a start. */
const CERTAIN: readonly number[] = [400, 403, 422, 429];
const NOT_FOUND = 404;
/** In deployments that answer without a terminal number. */
const BUSY = 409;

/**
 * Of a repeated request only "busy" is shown, unless a fault says otherwise. Between the two the terminal can lose its power;
 * but 1002 is certain in every reading of the description, as nobody could tell it from that of a request that never began.
 */
export function saysBusy({ status, body }: Answer): boolean {
  return status === BUSY || /\b1001\b/.test(body);
}

/** Instead of acting; undefined where the order goes its way. */
export function insteadOfActing(fault: Fault | undefined): Answer | undefined {
  if (fault?.kind === 'web-page-before') return WEB_PAGE;
  return fault?.kind === 'order-refused-before' ? flatError(fault.status ?? NOT_FOUND, 'Not found') : undefined;
}

/** Instead of the 202. */
export function insteadOfAccepting(fault: Fault | undefined): Answer | undefined {
  if (fault?.kind === 'web-page-after') return WEB_PAGE;
  if (fault?.kind !== 'order-refused-after') return undefined;
  const { status = NOT_FOUND } = fault;
  return flatError(CERTAIN.includes(status) ? NOT_FOUND : status, 'Not found');
}
