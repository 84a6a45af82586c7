import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Notifier } from '../../../src/core/journal/postgres/doors/notifier.js';
import { HeldClock } from './held-clock.js';

test('a process that closes while it tries to listen again leaves no connection behind', async () => {
  const clock = new HeldClock();
  let tries = 0;
  let open = 0;
  let connected: () => void = () => undefined;
  let began: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const database = {
    read: async () => undefined as never,
    listen: async () => {
      tries++;
      if (tries === 1) throw new Error('the direct address is away');
      began();
      await new Promise<void>((resolve) => {
        connected = resolve;
      });
      open++;
      return async () => void open--;
    },
  };
  const notifier = new Notifier(
    database,
    clock,
    'one',
    () => undefined,
    () => undefined,
  );
  await notifier.start();
  clock.pass(60_000);
  await clock.fire(750);
  await begun;
  const stopped = notifier.stop();
  connected();
  await stopped;
  assert.equal(open, 0);
});
