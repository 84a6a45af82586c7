import type { OperationRecord, Outcome } from '../../core/operation.js';

/** Why a payment did not go as it was asked to. */
export interface Reason {
  /** Of the service, of the issuer, or our own; empty where there is none. */
  code: string;
  /** In the words of who said it, redacted. */
  message: string;
}

/** Outcomes that the service explains in its result. */
const EXPLAINED: ReadonlySet<Outcome> = new Set(['declined', 'cancelled', 'failed']);
/** The service also has this where nobody asked the issuer. */
const APPROVED_CODE = '00';

export function reasonOf({ state: { told, why }, result = {} }: OperationRecord): Reason | undefined {
  if (why !== undefined) return { code: why.code, message: why.message };
  if (told === undefined || !EXPLAINED.has(told)) return undefined;
  const texts = [result.errorMessage, result.statusMessage, result.issuerResponseText];
  const message = texts.find((text) => typeof text === 'string' && text !== '');
  const code = result.issuerResponseCode === undefined ? '' : String(result.issuerResponseCode);
  const reason = { code: code === APPROVED_CODE ? '' : code, message: String(message ?? '') };
  return reason.code === '' && reason.message === '' ? undefined : reason;
}
