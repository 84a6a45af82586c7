import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { ResultPayload } from '../../src/core/delivery/payload.js';
import type { Summary } from '../../src/nodes/admin/contract.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { type Service, startService } from './flow.js';
import { pay, webFlow } from './web-flow.js';

const SERIAL = '10000001';

describe('a refund that a person asks for in the sidebar', () => {
  let service: Service;
  let nodeRed: RunningNodeRed;

  before(async () => {
    service = await startService({ cardholder: 'none' });
    nodeRed = await startNodeRed({ flows: webFlow(service), credentials: { environment: { apiKey: 'simulator' } } });
  });
  after(async () => {
    await nodeRed?.stop();
    await rm(nodeRed.userDir, { recursive: true, force: true });
    await service.stop();
  });

  async function restart(): Promise<void> {
    await nodeRed.kill();
    nodeRed = await startNodeRed({ userDir: nodeRed.userDir });
  }

  async function ask<T>(path: string, body?: object): Promise<{ status: number; body: T }> {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const answer = await fetch(`${nodeRed.url}/payment-admin/${path}`, init);
    return { status: answer.status, body: (await answer.json()) as T };
  }

  const click = (id: string, order: object) => ask<{ operationId: string }>(`operations/${id}/refund`, order);

  const over = (id: string): Promise<void> => nodeRed.printed(new RegExp(`over ${id}`));
  const refundsOf = async (transactionId: string | undefined): Promise<number> =>
    (await ask<{ operations: Summary[] }>('operations')).body.operations.filter(
      ({ original }) => original !== '' && original === transactionId,
    ).length;

  /** The card is there once the terminal asks for it. */
  function tap(): Promise<void> {
    return when(() => service.simulator.terminal(SERIAL).presentCard());
  }

  function when(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const leave = service.simulator.changes.subscribe(() => look());
      const look = (): void => {
        if (!isSo()) return;
        leave();
        resolve();
      };
      look();
    });
  }

  /** @param amount another one each time: the terminal declines what looks like a duplicate */
  async function sold(amount: string): Promise<ResultPayload> {
    const [sale] = await Promise.all([pay(nodeRed, { amount }), tap()]);
    return sale;
  }

  test('is done once on the terminal: clicks in one dialog, and a crash while it runs and after its end', async () => {
    const before = service.bank.netMoved();
    const { operationId, transactionId } = await sold('10.00');
    const order = { key: 'dialog', amount: '4.00', way: 'terminal' };
    const first = await click(operationId, order);
    assert.equal(first.status, 200);
    // The first poll says that the journal knows of the acceptance.
    const polls = (): number => service.simulator.requests.latest().filter(({ method }) => method === 'GET').length;
    const polled = polls();
    await when(() => polls() > polled);
    await restart();
    assert.deepEqual(await click(operationId, order), first);
    await tap();
    await over(first.body.operationId);
    await restart();
    assert.deepEqual(await click(operationId, order), first);
    assert.equal(await refundsOf(transactionId), 1);
    assert.equal(service.bank.netMoved() - before, 600);
  });

  test('is done once at the gateway, and another dialog refunds more', async () => {
    const before = service.bank.netMoved();
    const { operationId, transactionId } = await sold('12.00');
    const order = { key: 'dialog', amount: '4.00', way: 'gateway' };
    const first = await click(operationId, order);
    await over(first.body.operationId);
    await restart();
    assert.deepEqual(await click(operationId, order), first);
    assert.equal(await refundsOf(transactionId), 1);
    const rest = await click(operationId, { key: 'another dialog', amount: '8.00', way: 'terminal' });
    await tap();
    await over(rest.body.operationId);
    assert.equal(await refundsOf(transactionId), 2);
    assert.equal(service.bank.netMoved(), before);
  });
});
