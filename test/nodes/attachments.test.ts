import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Heard } from '../../src/core/delivery/heard.js';
import type { Delivery, Listener } from '../../src/core/delivery/listener.js';
import type { Payments } from '../../src/core/engine/payments.js';
import { Attachments } from '../../src/nodes/runtime/environment/attachments.js';

it('whoever takes over a payment: its result is a correction where the flow heard that the journal is away', () => {
  const attachments = new Attachments(() => undefined, new Heard());
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

it('a door of before the deploy, which is not done yet, tells by the nodes that come with the deploy', () => {
  const detached: string[] = [];
  const attachedTo = (name: string, listeners: Listener[]) =>
    ({
      attach: (_node: string, listener: Listener) => {
        listeners.push(listener);
        return () => detached.push(name);
      },
      subscribe: () => () => undefined,
    }) as unknown as Payments;
  const ofDoor: Listener[] = [];
  const ofEngine: Listener[] = [];
  const heard = new Heard();
  const attachments = new Attachments(() => undefined, heard, new Set([attachedTo('door', ofDoor)]));
  const told: unknown[] = [];
  const detach = attachments.attach('node', {
    deliver: ({ payload }) => told.push([payload.outcome, payload.correction]),
    progress: () => undefined,
  });
  attachments.use(attachedTo('engine', ofEngine));
  ofDoor[0]?.deliver(delivery('one', { outcome: 'unknown', final: false, error: { code: 'JOURNAL_UNAVAILABLE' } }));
  ofEngine[0]?.deliver(delivery('one', { outcome: 'approved', final: true }));
  assert.deepEqual(told, [
    ['unknown', undefined],
    ['approved', true],
  ]);
  detach();
  assert.deepEqual(detached, ['door', 'engine']);
});

function delivery(id: string, payload: object): Delivery {
  return { id, exit: 'done', origin: { node: 'node', message: {} }, payload } as Delivery;
}
