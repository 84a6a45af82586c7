import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { shows } from '../harness/shows.js';
import { type Flow, type Service, startFlow, startService } from './flow.js';

/**
 * Where a type is missing, Node-RED starts nothing of a deploy, and never says that the flows have started. A deploy of the
 * modified nodes leaves the others running all the same: they take messages, and money moves.
 */
describe('a deploy of the modified nodes that Node-RED refuses to start', () => {
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

  async function awaitCard(): Promise<void> {
    const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
    flow.send({ payload: { amount: '10.00' } });
    await awaiting;
  }

  test('what comes after it is answered by the nodes that it left', async () => {
    await flow.deployUnknown(['mistake']);
    await awaitCard();
    service.simulator.terminal('10000001').presentCard();
    const { output } = await flow.answer();
    assert.deepEqual([output, (await flow.result()).msg.payload.outcome], ['done', 'approved']);
    assert.equal(service.bank.charges().length, 1);
  });

  test('what was sent before it is answered, and once where the next deploy starts', async () => {
    await awaitCard();
    await flow.deployUnknown(['mistake']);
    service.simulator.terminal('10000001').presentCard();
    assert.equal((await flow.answer()).output, 'done');
    await flow.redeploy();
    assert.equal(flow.answers().length, 1);
  });
});
