import { isBadKey } from '../api/failures.js';
import { InputError, NotSentError, type PaymentError, RefusedError, WithdrawnError } from '../errors.js';
import type { Refusal } from '../lifecycle.js';
import { present } from '../present.js';
import type { BackOfficeOrder } from './operations.js';
import type { Reply } from './reply.js';
import type { BackOfficeEvent } from './state.js';
import { differenceOf } from './worth.js';

/** What an answer, or the want of one, is to the lifecycle. */

export function answered(order: BackOfficeOrder, reply: Reply): BackOfficeEvent {
  const { approved, type, raw } = reply;
  if (approved) {
    return {
      type: 'answered',
      approved,
      ...present('kind', type),
      ...present('difference', differenceOf(order, reply)),
    };
  }
  const code = String(raw.issuerResponseCode ?? raw.finStatus ?? '');
  const message = String(raw.issuerResponseText ?? raw.errorMessage ?? raw.statusMessage ?? 'declined');
  return { type: 'answered', approved, error: { code, name: 'Declined', message } };
}

export function eventOf(error: PaymentError): BackOfficeEvent {
  const told = (name: string, code: string = error.code) => ({ code, name, message: error.message });
  if (error instanceof WithdrawnError) return { type: 'withdrawn' };
  if (error instanceof NotSentError) return { type: 'not-sent', error: told('NotSent') };
  if (error instanceof InputError) return { type: 'refused', refusal: 'mistake', error: told(error.name) };
  if (!(error instanceof RefusedError)) return { type: 'lost' };
  const refusal = refusalOf(error);
  return {
    type: 'refused',
    refusal,
    error: told(error.serviceName ?? error.name, error.serviceCode ?? String(error.status)),
  };
}

function refusalOf(error: RefusedError): Refusal {
  if (error.status === 429) return 'throttled';
  return error.status === 422 || isBadKey(error) ? 'mistake' : 'other';
}
