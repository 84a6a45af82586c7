import type { Problem } from '../../gateway/reversals.js';
import { type Answer, flatError } from '../../wire/errors.js';

/** Business refusals in the flat pattern. Programs read the code; some codes have an HTTP status other than 400. */

const STATUS: Readonly<Record<string, number>> = { '3156': 404, '3212': 403, MOTO_NOT_ENABLED: 403 };
/** Codes whose HTTP status is 400 while the details say 403. */
const FORBIDDEN_INSIDE: ReadonlySet<string> = new Set(['3211', '3215']);

export function refusalAnswer({ code, message }: Problem): Answer {
  const status = STATUS[code] ?? 400;
  const httpStatus = FORBIDDEN_INSIDE.has(code) ? 403 : status;
  return flatError(status, message, {
    code,
    details: { errorCode: code, httpStatus, description: message, reason: message },
  });
}

/** The refusal of an operation that the merchant's acquirer does not offer. */
export function notOffered(what: string): Answer {
  return refusalAnswer({ code: 'FEATURE_NOT_SUPPORTED', message: `${what} is not supported by the acquirer` });
}
