import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Dispatcher, type ResultEvent } from '../../../src/core/delivery/dispatcher.js';
import type { Delivery } from '../../../src/core/delivery/listener.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

const ALARM = { id: 'one', origin: { node: 'sale', message: {} }, payload: {} } as Delivery;

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
