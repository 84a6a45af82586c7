import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Dispatcher } from '../../src/core/delivery/dispatcher.js';
import { Heard } from '../../src/core/delivery/heard.js';
import type { Delivery, Listener } from '../../src/core/delivery/listener.js';
import { KeptMessages } from '../../src/core/engine/doors/kept-messages.js';
import type { Payments } from '../../src/core/engine/payments.js';
import { Attachments } from '../../src/nodes/runtime/environment/attachments.js';
import { VirtualClock } from '../harness/virtual-clock.js';

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

it('that nobody knows is told once, whether a door says it or the engine that takes its place', () => {
  const told: unknown[] = [];
  const attachments = new Attachments(() => undefined, new Heard());
  attachments.attach('node', { deliver: ({ payload }) => told.push(payload.outcome), progress: () => undefined });
  const unavailable = { outcome: 'unknown', final: false, error: { code: 'JOURNAL_UNAVAILABLE' } };
  for (const said of [unavailable, unavailable, { outcome: 'approved', final: true }]) {
    const attach = (_node: string, listener: Listener) => {
      listener.deliver(delivery('one', said));
      return () => undefined;
    };
    attachments.use({ attach } as unknown as Payments);
  }
  assert.deepEqual(told, ['unknown', 'approved']);
});

it('a door of before the deploy does not say that nobody knows of what the process has told since', async () => {
  const heard = new Heard();
  const attachments = new Attachments(() => undefined, heard);
  attachments.attach('node', { deliver: () => undefined, progress: () => undefined });
  let engine: Listener | undefined;
  const attach = (_node: string, listener: Listener) => {
    engine = listener;
    return () => undefined;
  };
  attachments.use({ attach } as unknown as Payments);
  const clock = new VirtualClock();
  const told: string[] = [];
  const kept = new KeptMessages(
    clock,
    { deliver: ({ id }: Delivery) => told.push(id) } as unknown as Dispatcher,
    heard,
  );
  for (const id of ['one', 'another']) {
    const request = { operation: 'sale', serial_number: '1', terminal_type: 'T' } as const;
    void kept.keep({ id, operation: 'sale', request, origin: { node: 'node', message: {} } }, new Promise(() => {}));
  }
  engine?.deliver({ ...delivery('one', { outcome: 'refused', final: true }), sequence: 1 });
  for (let time = 0; time <= 80_000; time += 20_000) {
    kept.noteAway();
    await clock.advance(20_000);
  }
  assert.deepEqual(told, ['another']);
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
