import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { snapshot } from '../../../../src/core/base/privacy/snapshot.js';

/** Assembled, so that no literal in this file looks like card data. */
const CARD_NUMBER = ['4111', '1111', '1111', '1111'].join('');

describe('a snapshot of a message', () => {
  it('keeps what JSON can hold, in the order it came', () => {
    const message = {
      _msgid: 'm1',
      topic: 'till',
      payload: { amount: '10.00', lines: [1, null, { a: true }] },
      none: null,
    };
    assert.deepEqual(snapshot(message), message);
    assert.deepEqual(Object.keys(snapshot(message)), Object.keys(message));
  });

  it('is a copy', () => {
    const message = { payload: { amount: 1 } };
    const copy = snapshot(message);
    message.payload.amount = 2;
    assert.deepEqual(copy, { payload: { amount: 1 } });
  });

  it('leaves out the open HTTP request, its answer and functions, and names them', () => {
    const message = { _msgid: 'm1', req: { headers: {} }, res: {}, run: () => 1, payload: { go: () => 1, on: true } };
    assert.deepEqual(snapshot(message), { _msgid: 'm1', payload: { on: true }, _dropped: ['req', 'res', 'run'] });
  });

  it('cuts a cycle where it closes, and keeps an object that is only there twice', () => {
    const shared = { a: 1 };
    const payload: Record<string, unknown> = { shared, again: shared };
    payload.self = payload;
    assert.deepEqual(snapshot({ payload }), { payload: { shared: { a: 1 }, again: { a: 1 } } });
  });

  it('turns what JSON cannot hold into text that says what was there', () => {
    const message = { buffer: Buffer.alloc(5), bytes: new Uint8Array(3), big: 12n, at: new Date(0) };
    const expected = { buffer: '[5 bytes]', bytes: '[3 bytes]', big: '12', at: '1970-01-01T00:00:00.000Z' };
    assert.deepEqual(snapshot(message), expected);
  });

  it('drops the largest first until it fits, never the message id, and names what it dropped', () => {
    const message = {
      _msgid: 'm1',
      small: 'x',
      large: 'x'.repeat(3_000),
      larger: 'ü'.repeat(2_000),
      medium: 'x'.repeat(400),
    };
    assert.deepEqual(Object.keys(snapshot(message, { maxBytes: 8_000 })), Object.keys(message));
    assert.deepEqual(snapshot(message, { maxBytes: 5_000 })._dropped, ['larger']);
    const least = snapshot(message, { maxBytes: 300 });
    assert.deepEqual(least, { _msgid: 'm1', small: 'x', _dropped: ['larger', 'large', 'medium'] });
    assert.equal(snapshot({ _msgid: 'm1', payload: 'x'.repeat(65_536) })._dropped?.toString(), 'payload');
  });

  it('fits into the limit it was given', () => {
    const message: Record<string, unknown> = { _msgid: 'm1' };
    for (let size = 0; size < 60; size++) message[`property-${size}`] = 'ü"'.repeat(size * 3);
    for (const limit of [2_000, 4_000, 8_000, 16_000]) {
      const bytes = Buffer.byteLength(JSON.stringify(snapshot(message, { maxBytes: limit })));
      assert.ok(bytes <= limit, `${bytes} of ${limit}`);
      assert.ok(bytes > limit / 3, `${bytes} of ${limit}: dropped more than it had to`);
    }
  });

  it('never throws: what cannot be read is dropped', () => {
    const broken = {
      _msgid: 'm1',
      get payload() {
        throw new Error('gone');
      },
      json: {
        toJSON: () => {
          throw new Error('gone');
        },
      },
      deep: Array.from({ length: 100 }).reduce((inner) => [inner], []),
      wide: Array.from({ length: 100_000 }, () => 0),
    };
    assert.deepEqual(snapshot(broken), { _msgid: 'm1', _dropped: ['payload', 'json', 'deep', 'wide'] });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    assert.deepEqual(snapshot(proxy), {});
  });

  it('does not let a message name its own prototype', () => {
    const message = JSON.parse('{"__proto__": {"polluted": 1}, "payload": {"__proto__": {"polluted": 1}, "a": 2}}');
    const copy = snapshot(message);
    assert.equal(Reflect.get(copy, 'polluted'), undefined);
    assert.deepEqual(copy, { payload: { a: 2 }, _dropped: ['__proto__'] });
  });

  it('holds no secret and no card number', () => {
    const message = {
      apiKey: 'planted',
      payload: { cardToken: 'planted', note: `paid with ${CARD_NUMBER}`, pan: Number(CARD_NUMBER) },
    };
    const text = JSON.stringify(snapshot(message));
    assert.ok(!text.includes('planted') && !text.includes(CARD_NUMBER), text);
    assert.match(text, /card ending 1111/);
  });

  it('holds no receipt and no signature of an earlier result, but says that there were some', () => {
    const receipts = { customer: { kind: 'html', value: '<p>planted' }, merchant: { kind: 'url', value: 'https://r' } };
    const signature = { kind: 'png', value: 'planted' };
    const kept = snapshot({ payload: { receipts, signature, total: '10.00' }, copy: receipts.customer });
    assert.deepEqual(kept, {
      payload: {
        receipts: { customer: { kind: 'html', value: '[redacted]' }, merchant: receipts.merchant },
        signature: { kind: 'png', value: '[redacted]' },
        total: '10.00',
      },
      copy: { kind: 'html', value: '[redacted]' },
      _redacted: ['payload', 'copy'],
    });
  });

  it('does not hold the secret it is told of, wherever it stands', () => {
    const secret = 'planted-token-4711';
    const message = { stored: secret, link: `/card/${secret}/pay`, customer: [{ card: secret, [secret]: true }] };
    assert.deepEqual(snapshot(message, { secret }), {
      stored: '[redacted]',
      link: '/card/[redacted]/pay',
      customer: [{ card: '[redacted]', '[redacted]': true }],
      _redacted: ['stored', 'link', 'customer'],
    });
    assert.deepEqual(snapshot({ stored: 4711, order: 'A-4711' }, { secret: '4711' }), {
      stored: '[redacted]',
      order: 'A-4711',
      _redacted: ['stored'],
    });
  });
});
