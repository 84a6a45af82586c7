import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Service, startFlow, startService } from './flow.js';

function shows(service: Service, stage: string): Promise<void> {
  const terminal = service.simulator.terminal('10000001');
  return new Promise((resolve) => {
    const unsubscribe = terminal.subscribe(look);
    function look(): void {
      if (terminal.screen.stage !== stage) return;
      unsubscribe();
      resolve();
    }
    look();
  });
}

test('a message with cancel stops the payment while the card is awaited, and one that waits behind it', async () => {
  const service = await startService({ cardholder: 'none' });
  const flow = await startFlow({ service });
  const awaiting = shows(service, 'awaiting-card');
  flow.send({ payload: { amount: '10.00' }, order: 1 });
  await awaiting;
  flow.send({ payload: { amount: '11.00' }, order: 2 });
  flow.send({ cancel: true });
  await flow.answer(2);
  const answers = flow.answers().map(({ output, msg }) => [msg.order, output, msg.payload.moneyMoved]);
  assert.deepEqual(answers.sort(), [
    [1, 'not-done', 'no'],
    [2, 'not-done', 'no'],
  ]);
  assert.equal(service.bank.netMoved(), 0);
  await flow.stop();
  await service.stop();
});
