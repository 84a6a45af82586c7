import type { RelayedCall } from '../../api/transport/transport.js';
import type { BackOfficeDraft } from '../../operation/back-office-order.js';
import type { Order, Origin } from '../../operation/order.js';
import type { CancelTarget } from '../cancellation.js';

/** What doors ask, by the kind of the request. */
export interface AskedBodies {
  order: { order: Order };
  'back-office-order': { order: BackOfficeDraft; origin: Origin };
  cancel: { target: CancelTarget };
  check: { operationId: string };
  call: { call: RelayedCall };
}

/** How long a door waits for the answer of the service, ms. What has not left by then is not sent any more. */
export const CALL_WAIT = 60_000;

/** For the seal of a request's body. */
export function aboutRequest(id: string): string {
  return `request ${id}`;
}

/** For the seal of the answer to a call. */
export function aboutAnswer(id: string): string {
  return `answer ${id}`;
}
