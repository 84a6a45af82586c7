import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AnswerLostError,
  ConfigurationError,
  InputError,
  JournalError,
  NotSentError,
  PaymentError,
  RefusedError,
  UnreadableAnswerError,
  WithdrawnError,
} from '../../../src/core/base/errors.js';

describe('an error of the client', () => {
  const errors: [PaymentError, string, string][] = [
    [new InputError('amount', 'a decimal', 'x'), 'InputError', 'INVALID_INPUT'],
    [new ConfigurationError('no terminal'), 'ConfigurationError', 'INVALID_CONFIGURATION'],
    [new RefusedError({ status: 400, message: 'busy' }), 'RefusedError', 'REFUSED'],
    [new NotSentError('refused'), 'NotSentError', 'NOT_SENT'],
    [new WithdrawnError('withdrawn'), 'WithdrawnError', 'WITHDRAWN'],
    [new AnswerLostError('timeout'), 'AnswerLostError', 'ANSWER_LOST'],
    [new UnreadableAnswerError(502, 'bad gateway'), 'UnreadableAnswerError', 'UNREADABLE_ANSWER'],
    [new JournalError('disk full'), 'JournalError', 'JOURNAL_UNAVAILABLE'],
  ];
  for (const [error, name, code] of errors) {
    it(`has a name and a stable code: ${code}`, () => {
      assert.ok(error instanceof PaymentError && error instanceof Error);
      assert.equal(error.name, name);
      assert.equal(error.code, code);
    });
  }

  it('keeps its cause', () => {
    const cause = new Error('ENOSPC');
    assert.equal(new JournalError('no room', { cause }).cause, cause);
  });

  it('says no card number, wherever it came from', () => {
    const number = ['4111', '1111', '1111', '1111'].join('');
    const refused = new RefusedError({ status: 400, code: '1001', name: 'Error', message: `card ${number}` });
    assert.equal(refused.message, 'card [card ending 1111]');
    const cutInTheMiddle = `${'x'.repeat(60)} ${number}`;
    for (const got of [number, Number(number), { pan: number }, [number], cutInTheMiddle]) {
      const { message, stack } = new InputError('msg.payload', 'an amount', got);
      assert.ok(!message.includes(number.slice(0, 12)) && !stack?.includes(number), message);
    }
  });
});

describe('an unknown outcome', () => {
  it('is one family: an unreadable answer is a lost one, a refusal is not', () => {
    assert.ok(new UnreadableAnswerError(500, 'x') instanceof AnswerLostError);
    assert.ok(!(new RefusedError({ status: 400, message: 'x' }) instanceof AnswerLostError));
    assert.ok(!(new NotSentError('x') instanceof AnswerLostError));
  });
});

describe('an input error', () => {
  const rows: [unknown, string][] = [
    ['12,50', '"12,50"'],
    [-1, '-1'],
    [Number.NaN, 'NaN'],
    [12n, '12'],
    [undefined, 'nothing'],
    [null, 'null'],
    [{ a: 1 }, '{"a":1}'],
    [() => 1, 'function'],
    [Symbol('s'), 'symbol'],
    ['x'.repeat(500), `"${'x'.repeat(76)}...`],
  ];
  for (const [got, said] of rows) {
    it(`names the field, what was expected and what came: ${said.slice(0, 20)}`, () => {
      const error = new InputError('msg.payload.amount', 'a decimal such as 12.50', got);
      assert.equal(error.message, `msg.payload.amount: expected a decimal such as 12.50, got ${said}`);
      assert.equal(error.field, 'msg.payload.amount');
      assert.equal(error.expected, 'a decimal such as 12.50');
    });
  }

  it('does not say a secret that came inside an object', () => {
    assert.ok(!new InputError('msg.payload', 'an amount', { token: 'planted' }).message.includes('planted'));
  });

  it('describes what JSON cannot say', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const got of [cycle, { big: 1n }]) {
      assert.match(
        new InputError('msg.payload', 'an amount', got).message,
        /^msg\.payload: expected an amount, got \S/,
      );
    }
  });
});
