import { inTwoCharacters } from '../base/issuer-code.js';
import { textOf } from '../base/objects.js';
import { redactText } from '../base/privacy/redact.js';
import type { Outcome } from '../operation/outcome.js';

/** Why a payment was not done as requested. */
export interface Reason {
  /** The service's, the issuer's, or our own; empty where there is none. */
  code: string;
  /** The explanation as it came, redacted. */
  message: string;
}

/** Outcomes that the service explains in its result. */
const EXPLAINED: ReadonlySet<Outcome> = new Set(['declined', 'cancelled', 'failed']);
/** The service also sends this where the issuer took no part. */
const APPROVED_CODE = '00';

/** How a result explains the outcome that it led to; undefined where it does not. */
export function reasonIn(outcome: Outcome | undefined, result: Record<string, unknown> = {}): Reason | undefined {
  if (outcome === undefined || !EXPLAINED.has(outcome)) return undefined;
  const texts = [result.errorMessage, result.statusMessage, result.issuerResponseText];
  const message = texts.map(textOf).find((text) => text !== '') ?? '';
  const code = inTwoCharacters(textOf(result.issuerResponseCode));
  const reason = { code: code === APPROVED_CODE ? '' : redactText(code), message: redactText(message) };
  return reason.code === '' && reason.message === '' ? undefined : reason;
}
