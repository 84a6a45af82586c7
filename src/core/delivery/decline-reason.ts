import { redactText } from '../base/redact.js';
import type { Outcome } from '../operation/outcome.js';

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

/** What a result says of the outcome that it led to; undefined where it says nothing. */
export function reasonIn(outcome: Outcome | undefined, result: Record<string, unknown> = {}): Reason | undefined {
  if (outcome === undefined || !EXPLAINED.has(outcome)) return undefined;
  const texts = [result.errorMessage, result.statusMessage, result.issuerResponseText];
  const message = texts.find((text) => typeof text === 'string' && text !== '');
  const code = result.issuerResponseCode === undefined ? '' : String(result.issuerResponseCode);
  const reason = { code: code === APPROVED_CODE ? '' : code, message: redactText(String(message ?? '')) };
  return reason.code === '' && reason.message === '' ? undefined : reason;
}
