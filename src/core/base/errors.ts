import { redact, redactText } from './redact.js';

/** The stable codes that a flow may branch on (`msg.error.code` in a Catch node, `payload.error.code` in a message). */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_CONFIGURATION'
  | 'REFUSED'
  | 'NOT_SENT'
  | 'WITHDRAWN'
  | 'ANSWER_LOST'
  | 'UNREADABLE_ANSWER'
  | 'JOURNAL_UNAVAILABLE';

/** Base of every error this client throws. What it says is redacted on construction, so it can be logged as it is. */
export abstract class PaymentError extends Error {
  abstract readonly code: ErrorCode;

  constructor(message: string, options?: { cause?: unknown }) {
    super(redactText(message), options);
    this.name = new.target.name;
  }
}

/** A value that the flow or its configuration gave is wrong. Nothing was sent. */
export class InputError extends PaymentError {
  readonly code = 'INVALID_INPUT';
  /** Where the value came from, as its author knows it: `msg.payload.amount`, or the field of the API. */
  readonly field: string;
  readonly expected: string;

  constructor(field: string, expected: string, got: unknown) {
    super(`${field}: expected ${expected}, got ${describe(got)}`);
    this.field = field;
    this.expected = expected;
  }

  /** The same mistake, of a value that its author knows by another name. */
  named(field: string): InputError {
    const error = new InputError(field, this.expected, undefined);
    error.message = field + this.message.slice(this.field.length);
    return error;
  }
}

/** The configuration of an environment, terminal or journal does not allow a payment. Nothing was sent. */
export class ConfigurationError extends PaymentError {
  readonly code = 'INVALID_CONFIGURATION';
}

/** The service answered, and its answer says that it did not do what was asked. Certain: no money moved. */
export class RefusedError extends PaymentError {
  readonly code = 'REFUSED';
  /** HTTP status of the answer. */
  readonly status: number;
  /** The service's own code as text: `1001`, `3051`, `VALIDATION_FAILED`; absent where the answer carried none. */
  readonly serviceCode?: string;
  /** The service's own error name, such as `ForbiddenError`. */
  readonly serviceName?: string;

  constructor(answer: { status: number; code?: string; name?: string; message: string }) {
    super(answer.message);
    this.status = answer.status;
    this.serviceCode = answer.code;
    this.serviceName = answer.name;
  }
}

/** The request did not reach the service: name not resolved, connection refused. Certain: nothing happened. */
export class NotSentError extends PaymentError {
  readonly code = 'NOT_SENT';
}

/** The caller withdrew the request while it still waited for the rate limit. Certain: it never left. */
export class WithdrawnError extends PaymentError {
  readonly code = 'WITHDRAWN';
}

/** The request may have arrived, but no answer did. The outcome is unknown: recover, never resend. */
export class AnswerLostError extends PaymentError {
  readonly code: 'ANSWER_LOST' | 'UNREADABLE_ANSWER' = 'ANSWER_LOST';
}

/** An answer came that cannot be read: broken JSON, no such shape, a 5xx. As unknown as a lost one. */
export class UnreadableAnswerError extends AnswerLostError {
  override readonly code = 'UNREADABLE_ANSWER';
  readonly status: number;

  constructor(status: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.status = status;
  }
}

/** The journal cannot take a record (disk full, folder not writable). Before sending, that refuses the operation. */
export class JournalError extends PaymentError {
  readonly code = 'JOURNAL_UNAVAILABLE';
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  // Redacted before it is cut: half a card number would not be recognised.
  const text = redactText(textOf(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(redact(value)) ?? typeof value;
  } catch {
    return `an ${typeof value} that JSON cannot hold`;
  }
}
