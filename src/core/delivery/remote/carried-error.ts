import {
  AnswerLostError,
  ConfigurationError,
  IdempotencyKeyElsewhereError,
  IdempotencyKeyReusedError,
  InputError,
  JournalError,
  NotSentError,
  type PaymentError,
  RefusedError,
  StandbyError,
} from '../../base/errors.js';

/** An error on its way to another process, as JSON holds it. */
export interface CarriedError {
  kind: 'input' | 'key-reused' | 'key-elsewhere' | 'refused' | 'lost' | 'not-sent' | 'standby' | 'journal' | 'other';
  message: string;
  field?: string;
  expected?: string;
  operationId?: string;
  status?: number;
  code?: string;
  name?: string;
}

export function carried(error: unknown): CarriedError {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof InputError) return { kind: 'input', message, field: error.field, expected: error.expected };
  if (error instanceof IdempotencyKeyReusedError)
    return { kind: 'key-reused', message, operationId: error.operationId };
  if (error instanceof IdempotencyKeyElsewhereError)
    return { kind: 'key-elsewhere', message, operationId: error.operationId };
  if (error instanceof RefusedError) {
    const { status, serviceCode: code, serviceName: name } = error;
    return { kind: 'refused', message, status, ...(code && { code }), ...(name && { name }) };
  }
  if (error instanceof AnswerLostError) return { kind: 'lost', message };
  if (error instanceof NotSentError) return { kind: 'not-sent', message };
  if (error instanceof StandbyError) return { kind: 'standby', message };
  return { kind: error instanceof JournalError ? 'journal' : 'other', message };
}

/** Makes the error anew in the process that it was carried to. */
export function uncarried({ kind, message, ...details }: CarriedError): PaymentError {
  const { field = '', expected = '', operationId = '', status = 0, code, name } = details;
  switch (kind) {
    case 'input':
      return Object.assign(new InputError(field, expected, undefined), { message });
    case 'key-reused':
      return Object.assign(new IdempotencyKeyReusedError(operationId, { first: '', other: '' }), { message });
    case 'key-elsewhere':
      return new IdempotencyKeyElsewhereError(operationId);
    case 'refused':
      return new RefusedError({ status, message, ...(code && { code }), ...(name && { name }) });
    case 'lost':
      return new AnswerLostError(message);
    case 'not-sent':
      return new NotSentError(message);
    case 'standby':
      return new StandbyError(message);
    case 'journal':
      return new JournalError(message);
    case 'other':
      return new ConfigurationError(message);
  }
}
