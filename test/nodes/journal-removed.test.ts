import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { begun } from './begun.js';
import { type Flow, type Service, startFlow, startService } from './flow.js';

/** What a process knew of a journal that was removed under it is said before it is forgotten. */
describe('a journal whose folder is removed', () => {
  let service: Service;
  let flow: Flow;

  beforeEach(async () => {
    service = await startService({ cardholder: 'none' });
    flow = await startFlow({ service });
  });
  afterEach(async () => {
    await flow.stop();
    await service.stop();
  });

  const errors = (): string => flow.said('environment').errors.join('\n');

  test('while a result comes: the deploy that ends the environment says what the flow was not told', async () => {
    const operationId = await begun(service, flow);
    await rm(flow.folder, { recursive: true });
    const engine = await flow.environment().engine();
    const settled = new Promise<void>((resolve) => {
      engine.observe(({ state }) => {
        if (state.reported !== undefined) resolve();
      });
    });
    service.simulator.terminal('10000001').presentCard();
    await settled;
    await flow.redeploy();
    const said = `${operationId}: approved 10.00 EUR was not delivered, because the journal could not take it: look at it`;
    assert.ok(errors().includes(`${said} (sale of node sale, references ${operationId})`), errors());
    assert.deepEqual(flow.answers(), []);
  });

  test('while a card is awaited: the deploy that ends the environment names the payment', async () => {
    const operationId = await begun(service, flow);
    await rm(flow.folder, { recursive: true });
    await flow.redeploy();
    assert.match(errors(), /was removed or replaced while it was in use, and the next one knows none of its payments/);
    assert.ok(
      errors().includes(`1 payments were open there, and nobody follows them: look at ${operationId}`),
      errors(),
    );
  });

  test('while nothing is open: the deploy says that its orders are not known any more', async () => {
    const operationId = await begun(service, flow);
    service.simulator.terminal('10000001').presentCard();
    assert.equal((await flow.answer()).output, 'done');
    await flow.redeploy();
    assert.doesNotMatch(errors(), /was removed/);
    await (await flow.environment().engine()).open();
    await rm(flow.folder, { recursive: true });
    await flow.redeploy();
    assert.match(errors(), /an order that is sent again is charged again, its idempotency key notwithstanding/);
    assert.doesNotMatch(errors(), new RegExp(operationId));
  });
});
