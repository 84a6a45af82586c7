import { redact, redactText } from './privacy/redact.js';

/**
 * The stable codes on which a flow may branch (`msg.error.code` in a Catch node, `payload.error.code` in a message).
 */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_CONFIGURATION'
  | 'REFUSED'
  | 'NOT_SENT'
  | 'NOT_STARTED'
  | 'WITHDRAWN'
  | 'ANSWER_LOST'
  | 'UNREADABLE_ANSWER'
  | 'JOURNAL_UNAVAILABLE'
  | 'STANDBY'
  | 'INVALID_IDEMPOTENCY_KEY'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_KEY_ELSEWHERE'
  | 'INVALID_CANCEL'
  | 'CANCEL_TARGET_UNKNOWN';

/** Base of every error this client throws. Its message is redacted on construction, so it can be logged as it is. */
export abstract class PaymentError extends Error {
  abstract readonly code: ErrorCode;

  constructor(message: string, options?: { cause?: unknown }) {
    super(redactText(message), options);
    this.name = new.target.name;
  }
}

/** The flow or its configuration gave an invalid value. Nothing was sent. */
export class InputError extends PaymentError {
  readonly code: 'INVALID_INPUT' | 'INVALID_IDEMPOTENCY_KEY' | 'INVALID_CANCEL' = 'INVALID_INPUT';
  /** The source of the value as the flow's author knows it: `msg.payload.amount`, or the field of the API. */
  readonly field: string;
  readonly expected: string;

  constructor(field: string, expected: string, got: unknown) {
    super(`${field}: expected ${expected}, got ${describe(got)}`);
    this.field = field;
    this.expected = expected;
  }

  /** The same error with the field name that the flow's author knows. */
  named(field: string): InputError {
    const error = new InputError(field, this.expected, undefined);
    error.message = field + this.message.slice(this.field.length);
    return error;
  }
}

/** The idempotency key of a message cannot be one. Nothing was sent. */
export class IdempotencyKeyError extends InputError {
  override readonly code = 'INVALID_IDEMPOTENCY_KEY';

  constructor(field: string, got: unknown) {
    super(field, 'text of 1 to 255 characters, or a number', got);
  }
}

/** The idempotency key names another order: another operation, amount, currency, original or merchant override. Nothing was sent. */
export class IdempotencyKeyReusedError extends PaymentError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';
  /** Of the order that has the key. */
  readonly operationId: string;

  /** @param orders what they are: that of the operation, and the one that was refused */
  constructor(operationId: string, { first, other }: { first: string; other: string }) {
    super(
      `the idempotency key belongs to another order, ${first} of operation ${operationId}, and not to this one, ${other}: ` +
        'every order needs a key of its own',
    );
    this.operationId = operationId;
  }
}

/** The order that has the idempotency key was made at another service, or nobody can say that it was not. Nothing was sent. */
export class IdempotencyKeyElsewhereError extends PaymentError {
  readonly code = 'IDEMPOTENCY_KEY_ELSEWHERE';
  /** Of the order that has the key. */
  readonly operationId: string;

  constructor(operationId: string) {
    super(
      `the idempotency key belongs to the order of operation ${operationId}, which was made with another address or API key, ` +
        'and nobody can say that this is the same merchant: nothing was sent. Look at that operation before you send the order ' +
        'again under a new key',
    );
    this.operationId = operationId;
  }
}

/** `msg.cancel` names nothing that could be cancelled, or came to a node that cancels nothing. Nothing was cancelled. */
export class CancelError extends InputError {
  override readonly code = 'INVALID_CANCEL';

  constructor(
    got: unknown,
    expected = 'true, an operationId or a key, or an object with one of operationId, idempotencyKey and terminal',
  ) {
    super('msg.cancel', expected, got);
  }
}

/** The journal of this environment knows nothing of what is to be cancelled. */
export class CancelTargetError extends PaymentError {
  readonly code = 'CANCEL_TARGET_UNKNOWN';

  /** @param environment its name */
  constructor(got: string, environment: string) {
    super(
      `msg.cancel: expected an operation, key or terminal of the environment "${environment}", got ${describe(got)}, ` +
        'which is not in its journal',
    );
  }
}

/** The configuration of an environment, terminal or journal does not allow a payment. Nothing was sent. */
export class ConfigurationError extends PaymentError {
  readonly code = 'INVALID_CONFIGURATION';
}

/** The service refused the request. No money moved; that is certain. */
export class RefusedError extends PaymentError {
  readonly code = 'REFUSED';
  /** HTTP status of the response. */
  readonly status: number;
  /** The service's own code as text: `1001`, `3051`, `VALIDATION_FAILED`; absent if the response had none. */
  readonly serviceCode?: string;
  /** The service's own error name, such as `ForbiddenError`. */
  readonly serviceName?: string;

  constructor(answer: { status: number; code?: string; name?: string; message: string }) {
    super(answer.message);
    this.status = answer.status;
    this.serviceCode = answer.code && redactText(answer.code);
    this.serviceName = answer.name && redactText(answer.name);
  }
}

/** The service refused the API key. Another key of the merchant is used from now on: the request may go again. */
export class KeyReplacedError extends RefusedError {
  constructor({ status, serviceCode: code, serviceName: name, message }: RefusedError) {
    super({ status, code, name, message });
  }
}

/** The request did not reach the service: name not resolved, connection refused. Certainly nothing happened. */
export class NotSentError extends PaymentError {
  readonly code: 'NOT_SENT' | 'NOT_STARTED' | 'JOURNAL_UNAVAILABLE' = 'NOT_SENT';
}

/** The journal could not take what was to be sent, so it was not. */
export class UnwrittenError extends NotSentError {
  override readonly code = 'JOURNAL_UNAVAILABLE';
}

/** When the request could be sent, it was too late to begin. It was certainly not sent. */
export class NotStartedError extends NotSentError {
  override readonly code = 'NOT_STARTED';
}

/** The caller withdrew the request while it waited for the rate limit. It was certainly not sent. */
export class WithdrawnError extends PaymentError {
  readonly code = 'WITHDRAWN';
}

/** The request may have arrived, but no response did. The outcome is unknown: recover, never resend. */
export class AnswerLostError extends PaymentError {
  readonly code: 'ANSWER_LOST' | 'UNREADABLE_ANSWER' = 'ANSWER_LOST';
}

/**
 * The response cannot be read: invalid JSON, another shape, or a 5xx. The outcome is as unknown as after a lost
 * response.
 */
export class UnreadableAnswerError extends AnswerLostError {
  override readonly code = 'UNREADABLE_ANSWER';
  readonly status: number;

  constructor(status: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.status = status;
  }
}

/**
 * The response approves, and not as it was asked for: what was done is as unknown as after a lost response, and that nothing was
 * done is not proven by a record that is missing.
 */
export class UnclearApprovalError extends UnreadableAnswerError {
  constructor(
    status: number,
    reason: string,
    /** It approves the request that it names, over another amount; or it names another reference, which nobody knows. */
    readonly differs: 'amount' | 'reference',
  ) {
    super(status, reason);
  }
}

/** The journal cannot store a record (disk full, folder not writable). Before sending, this refuses the operation. */
export class JournalError extends PaymentError {
  readonly code: 'JOURNAL_UNAVAILABLE' | 'STANDBY' = 'JOURNAL_UNAVAILABLE';
}

/** Another process works with the journal, so this one stands by. It took nothing on, and nothing was sent. */
export class StandbyError extends JournalError {
  override readonly code = 'STANDBY';
}

/** Another process has taken the journal over since: it goes on with what this one has begun. */
export class LeaseLostError extends JournalError {}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  // Redacted before it is shortened, because part of a card number would not be recognised.
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
