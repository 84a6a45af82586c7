import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AnswerLostError,
  InputError,
  JournalError,
  NotSentError,
  type PaymentError,
  RefusedError,
  UnreadableAnswerError,
  WithdrawnError,
} from '../../../src/core/base/errors.js';
import { failureEvent } from '../../../src/core/operation/refusal.js';

const refusal = (status: number, code?: string, name?: string): RefusedError =>
  new RefusedError({ status, code, name, message: 'no' });

const CASES: readonly [string, PaymentError, string][] = [
  ['a withdrawn request', new WithdrawnError('x'), 'withdrawn'],
  ['a request that did not arrive', new NotSentError('x'), 'not-sent NOT_SENT NotSent'],
  ['a wrong value', new InputError('amount', 'digits', 1), 'refused mistake INVALID_INPUT InputError'],
  ['1001', refusal(400, '1001'), 'refused busy 1001 TERMINAL_BUSY'],
  ['1002', refusal(400, '1002'), 'refused other 1002 TERMINAL_OFFLINE'],
  ['429', refusal(429), 'refused throttled 429 RefusedError'],
  ['422', refusal(422, 'VALIDATION_FAILED', 'ValidationError'), 'refused mistake VALIDATION_FAILED ValidationError'],
  ['403 to the key', refusal(403), 'refused mistake 403 RefusedError'],
  ['403 with a business code', refusal(403, '3051', 'Reversed'), 'refused other 3051 Reversed'],
  ['a lost answer', new AnswerLostError('x'), 'answer-lost'],
  ['an answer that cannot be read', new UnreadableAnswerError(500, 'x'), 'answer-lost'],
  ['any other error', new JournalError('x'), 'answer-lost'],
];

for (const [name, error, expected] of CASES) {
  test(`${name} is "${expected}"`, () => {
    const event = failureEvent(error);
    const refused = event.type === 'refused' ? [event.refusal] : [];
    const shown = 'error' in event ? [event.error.code, event.error.name] : [];
    assert.equal([event.type, ...refused, ...shown].join(' '), expected);
  });
}
