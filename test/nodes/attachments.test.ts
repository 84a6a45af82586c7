import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Delivery, Listener } from '../../src/core/delivery/listener.js';
import type { Payments } from '../../src/core/engine/payments.js';
import { Attachments } from '../../src/nodes/runtime/environment/attachments.js';

it('whoever takes over a payment: its result is a correction where the flow heard that the journal is away', () => {
  const attachments = new Attachments(() => undefined);
  const told: unknown[] = [];
  attachments.attach('node', { deliver: ({ id, payload }) => told.push([id, payload.correction]), progress: () => {} });
  const next = (): Listener => {
    let attached: Listener | undefined;
    const attach = (_node: string, listener: Listener) => {
      attached = listener;
      return () => undefined;
    };
    attachments.use({ attach } as unknown as Payments);
    assert.ok(attached !== undefined);
    return attached;
  };
  next().deliver(delivery('one', { outcome: 'unknown', final: false, error: { code: 'JOURNAL_UNAVAILABLE' } }));
  const other = next();
  other.deliver(delivery('one', { outcome: 'approved', final: true }));
  other.deliver(delivery('another', { outcome: 'approved', final: true }));
  assert.deepEqual(told, [
    ['one', undefined],
    ['one', true],
    ['another', undefined],
  ]);
});

function delivery(id: string, payload: object): Delivery {
  return { id, exit: 'done', origin: { node: 'node', message: {} }, payload } as Delivery;
}
