import type { Problem } from '../../gateway/reversals.js';
import type { Readings } from '../../model/reading-values.js';
import { type Answer, flatError } from '../../wire/errors.js';

/** Business refusals in the flat pattern. Programs read the code; some codes have an HTTP status other than 400. */

const STATUS: Readonly<Record<string, number>> = { '3156': 404, '3212': 403, MOTO_NOT_ENABLED: 403 };
/** The description says 403 of each. */
const FORBIDDEN_CODES: ReadonlySet<string> = new Set(['3211', '3212', '3215']);
/** Refused with 400, while the details say 403. */
const FORBIDDEN_INSIDE: ReadonlySet<string> = new Set(['3211', '3215']);

export function refusalAnswer({ code, message }: Problem): Answer {
  return refusal({ code, message }, STATUS[code] ?? 400);
}

/** Of a capture or a change of a hold: some deployments use one status for all that is forbidden. */
export function holdRefusal(problem: Problem, { holdRefusals }: Readings): Answer {
  if (holdRefusals === 'by-code' || !FORBIDDEN_CODES.has(problem.code)) return refusalAnswer(problem);
  return refusal(problem, holdRefusals === 'all-403' ? 403 : 400);
}

function refusal({ code, message }: Problem, status: number): Answer {
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
