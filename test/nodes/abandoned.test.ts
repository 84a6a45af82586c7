import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Detail, Summary } from '../../src/nodes/admin/contract.js';
import { polled } from '../harness/polled.js';
import { type Flow, type Service, startFlow, startService } from './flow.js';

/** What a deploy takes away while a payment is under way is said where the administrator looks. */
describe('a deploy that leaves a payment behind', () => {
  let service: Service;
  let flow: Flow;

  beforeEach(async () => {
    service = await startService({ cardholder: 'none' });
    flow = await startFlow({ service });
    const isPolled = polled(service.simulator);
    flow.send({ payload: { amount: '10.00' } });
    await isPolled;
  });
  const ask = async <T>(path: string): Promise<T> =>
    (await fetch(`${flow.url}/payment-admin/operations${path}`)).json() as Promise<T>;
  /** Of this flow's journal: an earlier test may have left something behind, too. */
  const warnings = (): string[] =>
    flow
      .said('environment')
      .warnings.filter((text) => text.startsWith(`1 payments are open in the journal in ${flow.folder},`));
  const UNUSABLE = { kind: 'live', statusUrl: '' };
  const unusable = (node: { id: string }): object => (node.id === 'environment' ? { ...node, ...UNUSABLE } : node);

  afterEach(async () => {
    await flow.stop();
    await service.stop();
  });

  test('in the order of the day says nothing', async () => {
    await flow.redeploy();
    service.simulator.terminal('10000001').presentCard();
    assert.equal((await flow.answer()).output, 'done');
    assert.deepEqual(flow.said('environment').warnings, []);
  });

  test('with its journal says which journal, and how many payments', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'journal-'));
    await flow.redeploy((node) => (node.id === 'journal' ? { ...node, folder } : node));
    const [warning = ''] = flow.said('environment').warnings;
    assert.match(warning, /^1 payments are open in the journal in /);
    assert.ok(warning.includes(flow.folder), warning);
    const { operations } = await ask<{ operations: Summary[] }>('');
    assert.deepEqual(
      operations.map(({ standing, stage }) => [standing, stage]),
      [['attention', 'abandoned']],
    );
    await flow.status('environment', 'status.unfollowed 1');
    assert.deepEqual([warnings().length, flow.said('environment').errors], [1, []]);
  });

  for (const [where, callbackIn] of [
    ['no callback-in is', () => undefined],
    ['callback-in only listens at the address', (node: object) => ({ ...node, wires: [[]] })],
  ] as const) {
    test(`with its node, where ${where}, says what became of it, and keeps it for a callback-in with a wire`, async () => {
      const without = (node: { id: string }): object | undefined => {
        if (node.id === 'sale') return undefined;
        return node.id === 'callback-in' ? callbackIn(node) : node;
      };
      await flow.redeploy(without);
      const engine = await flow.environment().engine();
      const settled = new Promise<void>((resolve) => {
        engine.observe(({ state }) => {
          if (state.reported !== undefined) resolve();
        });
      });
      const closed = new Promise<void>((resolve) => {
        engine.observe((record) => {
          if (record.closed) resolve();
        });
      });
      service.simulator.terminal('10000001').presentCard();
      await settled;
      const [warning = ''] = flow.said('environment').warnings;
      assert.match(warning, /^[0-9a-f-]{36}: approved 10.00 EUR; its node no longer exists/);
      const shown = async (): Promise<unknown> => {
        const [one] = (await ask<{ operations: Summary[] }>('')).operations;
        return [one?.standing, one?.outcome, one?.undelivered];
      };
      assert.deepEqual(await shown(), ['attention', 'approved', true], 'a person must look');
      await flow.redeploy((node) => (node.id === 'sale' ? undefined : node), 'nodes');
      const { msg } = await flow.result();
      assert.deepEqual([msg.payload.outcome, msg.claimed], ['approved', false]);
      assert.equal(service.bank.charges().length, 1);
      await closed;
      assert.deepEqual(await shown(), ['over', 'approved', undefined]);
    });
  }

  test('with the environment itself still shows the payment, as one that a person must look at', async () => {
    await flow.redeploy((node) => (node.id === 'environment' ? undefined : node));
    const { operations } = await ask<{ operations: Summary[] }>('');
    assert.deepEqual(
      operations.map(({ standing, stage, amount }) => [standing, stage, amount]),
      [['attention', 'abandoned', '10.00']],
    );
    const detail = await ask<Detail>(`/${operations[0]?.id}`);
    assert.deepEqual([detail.summary.stage, detail.canCheck, detail.reversible], ['abandoned', false, undefined]);
    // Its key went with it.
    await flow.redeploy((node) => (node.id === 'environment' ? { ...node, kind: 'simulator' } : node));
    const [known, ...more] = (await ask<{ operations: Summary[] }>('')).operations;
    assert.deepEqual([known?.id, more.length], [operations[0]?.id, 0]);
    assert.notEqual(known?.stage, 'abandoned', 'somebody follows it again');
  });

  test('with an environment that cannot be used says so once, shows it, and tells its end when it can be used again', async () => {
    await flow.redeploy(unusable);
    assert.equal(warnings().length, 1);
    const { operations } = await ask<{ operations: Summary[] }>('');
    assert.deepEqual(
      operations.map(({ standing, stage, amount }) => [standing, stage, amount]),
      [['attention', 'abandoned', '10.00']],
    );
    await flow.redeploy(unusable);
    assert.equal(warnings().length, 1, 'it is said once');
    assert.equal((await ask<{ operations: Summary[] }>('')).operations.length, 1);

    await flow.redeploy();
    const [known, ...others] = (await ask<{ operations: Summary[] }>('')).operations;
    assert.deepEqual([known?.id, others.length], [operations[0]?.id, 0]);
    assert.notEqual(known?.stage, 'abandoned', 'somebody follows it again');
    service.simulator.terminal('10000001').presentCard();
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.payload.outcome], ['done', 'approved']);
    assert.equal(flow.answers().length, 1);
  });

  test('with an environment that can be used again, but has another journal, says that too', async () => {
    await flow.redeploy(unusable);
    const folder = await mkdtemp(join(tmpdir(), 'journal-'));
    await flow.redeploy((node) => (node.id === 'journal' ? { ...node, folder } : node));
    assert.equal(warnings().length, 2);
  });
});
