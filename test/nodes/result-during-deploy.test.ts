import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { arrivals } from '../harness/arrivals.js';
import { shows } from '../harness/shows.js';
import { action, type Flow, type Service, startFlow, startService } from './flow.js';

/**
 * Node-RED makes the nodes of a deploy one after another, and drops what is sent to one that it has not made yet. A result that
 * waits, or that comes meanwhile, reaches the nodes behind the output all the same.
 */

const ACTION = ['sale', 'done', 'not-done', 'needs-attention'];
const RESULTS = ['callback-in', 'results'];

const disabled =
  (ids: readonly string[]) =>
  (node: { id: string }): object =>
    ids.includes(node.id) ? { ...node, d: true } : node;

const renamed =
  (ids: readonly string[]) =>
  (node: { id: string }): object =>
    ids.includes(node.id) ? { ...node, name: 'new' } : node;

/** What was answered arrives, and what was sent meanwhile. */
async function turns(): Promise<void> {
  for (let one = 0; one < 200; one++) await turn();
}

describe('a result, where only the modified nodes are deployed', () => {
  let service: Service;
  let flow: Flow;
  let arrived: ReturnType<typeof arrivals>;

  beforeEach(async () => {
    service = await startService({ cardholder: 'none' });
    flow = await startFlow({ service, more: [action('devices', 'payment-device')] });
    arrived = arrivals();
    const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
    flow.send({ payload: { amount: '10.00' } });
    await awaiting;
    arrived.forget();
  });
  afterEach(async () => {
    arrived.stop();
    await flow.stop();
    await service.stop();
  });

  /** Presents the card, and waits until the engine has something to tell. */
  async function settle(): Promise<void> {
    const engine = await flow.environment().engine();
    const settled = new Promise<void>((resolve) => {
      engine.observe(({ state }) => {
        if (state.reported !== undefined) resolve();
      });
    });
    service.simulator.terminal('10000001').presentCard();
    await settled;
  }

  for (const [what, replaced] of [
    ['its node and those behind the outputs', [...ACTION, ...RESULTS, 'catch', 'mistake']],
    ['those behind the outputs', ['done', 'not-done', 'needs-attention', 'results']],
    ['callback-in and what is behind that', ['done', ...RESULTS]],
  ] as const) {
    test(`comes while ${what} are replaced: it reaches them, once`, async () => {
      flow.closesAfter('done', async () => {
        await settle();
        await turns();
      });
      await flow.redeploy(renamed(replaced), 'nodes');
      assert.deepEqual(await arrived.at(), ['done', 'results']);
      assert.equal(service.bank.charges().length, 1);
    });
  }

  for (const [what, gone, back, expected] of [
    ['the flow is enabled again', [...ACTION, ...RESULTS], RESULTS, 'done'],
    ['only its own node comes back', ['sale', ...RESULTS], RESULTS, 'done'],
    ['callback-in is added with what it is wired to', [...ACTION, ...RESULTS], ACTION, 'results'],
    ['callback-in is added, wired to what is there', ['sale', 'callback-in'], ['sale'], 'results'],
  ] as const) {
    test(`waits because its node was taken away, and ${what}: the flow hears of it, once`, async () => {
      await flow.redeploy(disabled(gone), 'nodes');
      await settle();
      assert.match(flow.said('environment').warnings.join(), /approved 10.00 EUR; its node no longer exists/);
      assert.deepEqual(await arrived.at(), []);
      await flow.redeploy(disabled(back), 'nodes');
      assert.deepEqual(await arrived.at(), [expected]);
      await flow.redeploy();
      assert.deepEqual(await arrived.at(), [expected]);
    });
  }

  for (const [what, replaced] of [
    ['Catch and the node behind it are replaced', ['catch', 'mistake']],
    ['the node behind Catch is replaced', ['mistake']],
  ] as const) {
    test(`is a mistake, and ${what}: the new one hears of it, once`, async () => {
      flow.closesAfter('mistake', async () => {
        flow.send({ payload: { amount: 'ten' } });
        await turns();
      });
      await flow.redeploy(renamed(replaced), 'nodes');
      assert.deepEqual(
        (await arrived.at()).filter((id) => id === 'mistake'),
        ['mistake'],
      );
    });
  }

  test('of a question comes while the node behind the output is replaced: it reaches the new one', async () => {
    const answered = new Promise<void>((resolve) => {
      service.simulator.faults.decideBy(({ moment, endpoint }) => {
        if (moment === 'answer' && endpoint === 'GET /devices') resolve();
        return undefined;
      });
    });
    flow.closesAfter('done', () => {
      flow.send({ payload: {} }, 'devices');
      return answered.then(turns);
    });
    await flow.redeploy(renamed(['done']), 'nodes');
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.payload.outcome], ['done', 'completed']);
  });
});
