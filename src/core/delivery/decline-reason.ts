import { customFieldsIn } from '../base/custom-fields.js';
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
/** The terminal took back what the issuer had approved. A second code says why. */
const TAKEN_BACK = '4000';

/** How a result explains the outcome that it led to; undefined where it does not. */
export function reasonIn(outcome: Outcome | undefined, result: Record<string, unknown> = {}): Reason | undefined {
  if (outcome === undefined || !EXPLAINED.has(outcome)) return undefined;
  const texts = [result.errorMessage, result.statusMessage, result.issuerResponseText];
  const message = texts.map(textOf).find((text) => text !== '') ?? '';
  const issuer = inTwoCharacters(textOf(result.issuerResponseCode));
  const code = issuer === '' || issuer === APPROVED_CODE ? codeOfTerminal(result) : issuer;
  const reason = { code: redactText(code), message: redactText(message) };
  return reason.code === '' && reason.message === '' ? undefined : reason;
}

/** Why a terminal took back what the issuer had approved, such as 4351: the card was pulled too early; empty where it did not. */
function codeOfTerminal({ customFields }: Record<string, unknown>): string {
  const codes = customFieldsIn(customFields).filter(({ key }) => key === 'messageReasonCode');
  return codes.map(({ value }) => value).find((code) => code !== TAKEN_BACK && /^4\d{3}$/.test(code)) ?? '';
}
