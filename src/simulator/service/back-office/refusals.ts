import type { Problem } from '../../gateway/reversals.js';
import { type Answer, flatError } from '../../wire/errors.js';

/** A business refusal in the flat pattern. The code is what a program reads; the status differs for a few of them. */

const STATUS: Readonly<Record<string, number>> = { '3156': 404, '3212': 403, MOTO_NOT_ENABLED: 403 };
/** Refused with 400, while the details say 403. */
const FORBIDDEN_INSIDE: ReadonlySet<string> = new Set(['3211', '3215']);

export function refusalAnswer({ code, message }: Problem): Answer {
  const status = STATUS[code] ?? 400;
  const httpStatus = FORBIDDEN_INSIDE.has(code) ? 403 : status;
  return flatError(status, message, {
    code,
    details: { errorCode: code, httpStatus, description: message, reason: message },
  });
}

/** What the merchant's acquirer does not offer at all. */
export function notOffered(what: string): Answer {
  return refusalAnswer({ code: 'FEATURE_NOT_SUPPORTED', message: `${what} is not supported by the acquirer` });
}
