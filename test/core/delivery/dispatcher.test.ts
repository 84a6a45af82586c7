import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Dispatcher, type ResultEvent } from '../../../src/core/delivery/dispatcher.js';
import type { Delivery } from '../../../src/core/delivery/listener.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

const ALARM = { id: 'one', origin: { node: 'sale', message: {} }, payload: {} } as Delivery;

it('a result that its node cannot send is sent once it can, told in the log once, and recorded as told only then', async () => {
  const clock = new VirtualClock();
  const logged: string[] = [];
  const dispatcher = new Dispatcher((level, text) => logged.push(`${level}: ${text}`), {
    mayAct: () => true,
    later: (run) => clock.after(1000, run),
  });
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
  const payload = { operationId: 'one', outcome: 'approved' };
  dispatcher.deliver({ ...ALARM, payload } as Delivery, () => sent.push('the journal'));
  await clock.advance(5000);
  assert.deepEqual(sent, []);
  assert.deepEqual(logged, ['error: one: approved; its node could not send it, and tries again: Error: a plugin']);
  isBroken = false;
  await clock.advance(1000);
  await clock.advance(5000);
  assert.deepEqual(sent, ['one', 'redelivered: true', 'the journal']);
});

it('a result that its node cannot send goes to a callback-in that takes it, once', async () => {
  const clock = new VirtualClock();
  const dispatcher = new Dispatcher(() => undefined, {
    mayAct: () => true,
    later: (run) => clock.after(1000, run),
  });
  const taken: (string | boolean)[] = [];
  const deliver = (): never => {
    throw new Error('a plugin');
  };
  dispatcher.attach('sale', { deliver, progress: () => undefined });
  dispatcher.subscribe(({ delivery, claimed }) => taken.push(delivery.id, claimed) > 0);
  dispatcher.releaseUnclaimed();
  dispatcher.deliver(ALARM, () => taken.push('the journal'));
  await clock.advance(5000);
  assert.deepEqual(taken, ['one', false, 'the journal']);
});

it('an alarm waits while the flows are deployed, until a callback-in comes that takes it', () => {
  const clock = new VirtualClock();
  const dispatcher = new Dispatcher(() => undefined, {
    mayAct: () => true,
    later: (run) => clock.after(1000, run),
  });
  const told: string[] = [];
  dispatcher.deliverLate(ALARM, () => told.push('the journal'));
  dispatcher.subscribe(() => false);
  assert.equal(told.length, 0);
  dispatcher.subscribe(({ delivery }: ResultEvent) => told.push(delivery.id) > 0);
  assert.deepEqual(told, ['one', 'the journal']);
});
