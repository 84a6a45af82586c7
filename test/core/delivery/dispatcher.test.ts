import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Dispatcher, type ResultEvent } from '../../../src/core/delivery/dispatcher.js';
import type { Delivery } from '../../../src/core/delivery/listener.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

const ALARM = { id: 'one', origin: { node: 'sale', message: {} }, payload: {} } as Delivery;
const APPROVED = { ...ALARM, payload: { operationId: 'one', outcome: 'approved' } } as Delivery;

const dispatcherOn = (clock: VirtualClock, logged: string[] = []): Dispatcher =>
  new Dispatcher((level, text) => logged.push(`${level}: ${text}`), {
    mayAct: () => true,
    later: (run) => clock.after(1000, run),
  });

it('a result that its node cannot send is sent once it can, told in the log once, and recorded as told only then', async () => {
  const clock = new VirtualClock();
  const logged: string[] = [];
  const dispatcher = dispatcherOn(clock, logged);
  const sent: string[] = [];
  let isBroken = true;
  dispatcher.attach('sale', {
    deliver: ({ id, payload }) => {
      if (isBroken) throw new Error('a plugin');
      sent.push(id, `redelivered: ${payload.redelivered}`);
    },
    progress: () => undefined,
  });
  dispatcher.subscribe(() => false);
  dispatcher.releaseUnclaimed();
  dispatcher.deliver(APPROVED, () => sent.push('the journal'));
  await clock.advance(5000);
  assert.deepEqual(sent, []);
  assert.deepEqual(logged, ['error: one: approved; its node could not send it, and tries again: Error: a plugin']);
  isBroken = false;
  await clock.advance(1000);
  await clock.advance(5000);
  assert.deepEqual(sent, ['one', 'redelivered: true', 'the journal']);
});

it('what only this process can correct counts as told as soon as its node has thrown over it, and is sent all the same', async () => {
  const clock = new VirtualClock();
  const dispatcher = dispatcherOn(clock);
  const sent: unknown[] = [];
  let failures = 2;
  dispatcher.attach('sale', {
    deliver: ({ payload }) => {
      if (failures-- > 0) throw new Error('EPIPE');
      sent.push(payload.redelivered);
    },
    progress: () => undefined,
  });
  dispatcher.releaseUnclaimed();
  dispatcher.deliver(APPROVED, () => sent.push('counts as told'), true);
  assert.deepEqual(sent, ['counts as told']);
  await clock.advance(5000);
  assert.deepEqual(sent, ['counts as told', true]);
});

it('a result that its node cannot send goes to a callback-in that takes it, once, as one that the flow may have', async () => {
  const clock = new VirtualClock();
  const dispatcher = dispatcherOn(clock);
  const taken: unknown[] = [];
  const deliver = (): never => {
    throw new Error('a plugin');
  };
  dispatcher.attach('sale', { deliver, progress: () => undefined });
  dispatcher.subscribe(({ delivery: { id, payload }, claimed }) => taken.push(id, claimed, payload.redelivered) > 0);
  dispatcher.releaseUnclaimed();
  dispatcher.deliver(ALARM, () => taken.push('the journal'));
  await clock.advance(5000);
  assert.deepEqual(taken, ['one', false, true, 'the journal']);
});

for (const [what, give] of [
  ['a result whose node is gone', (dispatcher: Dispatcher, done: () => void) => dispatcher.deliver(APPROVED, done)],
  ['an alarm', (dispatcher: Dispatcher, done: () => void) => dispatcher.deliverLate(APPROVED, done)],
] as const) {
  it(`${what} that a callback-in throws over is told again, as one that the flow may have, and recorded as told only then`, async () => {
    const clock = new VirtualClock();
    const logged: string[] = [];
    const dispatcher = dispatcherOn(clock, logged);
    const taken: unknown[] = [];
    let failures = 2;
    dispatcher.subscribe(({ delivery: { payload } }) => {
      if (failures-- > 0) throw new Error('EPIPE');
      return taken.push(payload.redelivered) > 0;
    });
    dispatcher.releaseUnclaimed();
    give(dispatcher, () => taken.push('the journal'));
    assert.deepEqual(taken, []);
    await clock.advance(5000);
    assert.deepEqual(taken, [true, 'the journal']);
    assert.deepEqual(logged, ['error: one: approved; a callback-in node could not send it: Error: EPIPE']);
  });
}

it('an alarm waits while the flows are deployed, until a callback-in comes that takes it', () => {
  const clock = new VirtualClock();
  const dispatcher = dispatcherOn(clock);
  const told: string[] = [];
  dispatcher.deliverLate(ALARM, () => told.push('the journal'));
  dispatcher.subscribe(() => false);
  assert.equal(told.length, 0);
  dispatcher.subscribe(({ delivery }: ResultEvent) => told.push(delivery.id) > 0);
  assert.deepEqual(told, ['one', 'the journal']);
});
