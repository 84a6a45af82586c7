import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { arrivals } from '../harness/arrivals.js';
import { shows } from '../harness/shows.js';
import { type FlowOptions, startFlow, startService } from './flow.js';

/** In a subflow, whose output is wired to what the test hears. */
const IN_SUBFLOW: Partial<FlowOptions> = {
  callbackIn: { d: true },
  more: [
    { id: 'subflow', type: 'subflow', name: 'results', in: [], out: [{ wires: [{ id: 'inner', port: 0 }] }] },
    { id: 'inner', z: 'subflow', type: 'payment-callback-in', environment: 'environment', wires: [[]] },
    { id: 'instance', z: 'tab', type: 'subflow:subflow', wires: [['results']] },
  ],
};

describe('callback-in whose only wire leads to a disabled node', () => {
  for (const [where, options] of [
    ['', {}],
    [', out of a subflow,', IN_SUBFLOW],
  ] as const) {
    test(`takes no result that nobody else has${where} before that node is enabled`, async () => {
      const service = await startService({ cardholder: 'none' });
      const flow = await startFlow({ service, ...options });
      const arrived = arrivals();
      try {
        const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
        flow.send({ payload: { amount: '10.00' } });
        await awaiting;
        const without =
          (...ids: string[]) =>
          (node: { id: string }): object =>
            ids.includes(node.id) ? { ...node, d: true } : node;
        await flow.redeploy(without('sale', 'results'));
        const engine = await flow.environment().engine();
        const settled = new Promise<void>((resolve) => {
          engine.observe(({ state }) => {
            if (state.reported !== undefined) resolve();
          });
        });
        arrived.forget();
        service.simulator.terminal('10000001').presentCard();
        await settled;
        assert.match(flow.said('environment').warnings.join(), /approved 10.00 EUR; its node no longer exists/);
        assert.deepEqual(await arrived.at(), []);
        await flow.redeploy(without('sale'), 'nodes');
        assert.deepEqual((await arrived.at()).at(-1), 'results');
        await flow.redeploy();
        assert.equal((await arrived.at()).filter((id) => id === 'results' || id === 'done').length, 1);
      } finally {
        arrived.stop();
        await flow.stop();
        await service.stop();
      }
    });
  }
});
