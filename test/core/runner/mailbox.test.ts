import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Envelope, Mailbox } from '../../../src/core/runner/mailbox.js';

function mailbox(onEvent: (event: string, mailbox: Mailbox<Envelope<string>>) => void = () => undefined) {
  const log: string[] = [];
  const box: Mailbox<Envelope<string>> = new Mailbox(
    async ({ event }) => {
      log.push(`${event} begins`);
      onEvent(event, box);
      await Promise.resolve();
      log.push(`${event} ends`);
    },
    () => log.push('idle'),
  );
  return { box, log };
}

test('an envelope that another one causes waits until that one is handled', async () => {
  const { box, log } = mailbox((event, own) => {
    if (event === 'a') own.enqueue({ event: 'b' });
  });
  box.enqueue({ event: 'a' });
  await box.idle();
  assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'idle']);
});

test('what is enqueued first goes before everything that waits, and never before what is being handled', async () => {
  const { box, log } = mailbox((event, own) => {
    if (event !== 'a') return;
    own.enqueue({ event: 'b' });
    own.enqueueFirst({ event: 'delivered' });
  });
  box.enqueue({ event: 'a' });
  await box.idle();
  assert.deepEqual(
    log.filter((entry) => entry.endsWith('begins')),
    ['a begins', 'delivered begins', 'b begins'],
  );
});

test('it is busy until its queue is empty, and works again after that', async () => {
  const { box, log } = mailbox();
  assert.equal(box.isBusy, false);
  box.enqueue({ event: 'a' });
  assert.equal(box.isBusy, true);
  await box.idle();
  assert.equal(box.isBusy, false);
  box.enqueue({ event: 'b' });
  await box.idle();
  assert.deepEqual(log, ['a begins', 'a ends', 'idle', 'b begins', 'b ends', 'idle']);
});

test('a closed mailbox says that nothing was persisted, and handles nothing', async () => {
  const { box, log } = mailbox();
  box.close();
  const persisted = new Promise<boolean>((onPersisted) => box.enqueue({ event: 'a', onPersisted }));
  assert.equal(await persisted, false);
  assert.deepEqual(log, []);
});
