import { withoutCardNumbers } from '../../base/privacy/redact.js';
import type { SealedJson } from '../../base/privacy/sealed-json.js';
import type { DeliveryName, UntoldDelivery } from '../../journal/doors.js';
import type { Delivery } from '../listener.js';
import { type CarriedError, carried, uncarried } from './carried-error.js';

type Carried = Omit<Delivery, 'error'> & { error?: CarriedError };

/** A delivery as it goes through the journal to another process: never with a full card number. */
export function sealedDelivery(seal: SealedJson, delivery: Delivery, name: DeliveryName): string {
  const { error, payload, ...rest } = delivery;
  const told = { ...payload, result: withoutCardNumbers(payload.result) };
  const whole: Carried = { ...rest, payload: told, ...(error && { error: carried(error) }) };
  return seal.close(whole, about(name));
}

/** @throws Error where it cannot be opened */
export function openedDelivery(seal: SealedJson, posted: UntoldDelivery): Delivery {
  const { error, ...rest } = seal.open(posted.body, about(posted)) as Carried;
  return { ...rest, ...(error && { error: uncarried(error) }) };
}

function about({ message, sequence }: DeliveryName): string {
  return `delivery ${message} ${sequence}`;
}
