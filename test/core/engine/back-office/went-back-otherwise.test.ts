import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { atOddService, CUT, type Entry, original } from '../../../harness/odd-service.js';

/** A service that does a refund on the day itself as a reversal, or a reversal as a linked refund. */

const asReversal = (chain: Entry[]): Entry[] =>
  chain.map((entry, place) => {
    if (entry.type === 'REFUND' || entry.type === 'MOTO_REFUND')
      return { ...entry, type: 'REVERSAL', finStatus: 'AUTHORISED' };
    return place === 0 && chain.length > 1 ? { ...entry, finStatus: 'CANCELLED' } : entry;
  });

const asRefund = (chain: Entry[]): Entry[] =>
  chain.map((entry, place) => {
    if (entry.type === 'REVERSAL') return { ...entry, type: 'REFUND', finStatus: 'AUTHORISED' };
    return place === 0 && chain.length > 1 ? { ...entry, finStatus: 'REFUNDED' } : entry;
  });

const typed =
  (type: string) =>
  (got: HttpAnswer): HttpAnswer =>
    got.status === 200 ? { ...got, body: JSON.stringify({ ...JSON.parse(got.body), type }) } : got;

const REFUND = { operation: 'moto/refund', path: '/moto/refund', list: asReversal, answer: typed('REVERSAL') } as const;
const REVERSAL = { operation: 'reversal', path: '/reversal', list: asRefund, answer: typed('REFUND') } as const;

for (const { operation, path, list, answer } of [REFUND, REVERSAL]) {
  for (const isLost of [true, false]) {
    test(`a ${operation} that the service does otherwise, ${isLost ? 'and whose answers are lost,' : 'as it answers,'} is not told as not done`, async () => {
      const world = atOddService({
        answer: (request, serve) =>
          request.url.endsWith(path) ? serve().then((got) => (isLost ? CUT : answer(got))) : undefined,
        list,
      });
      const originalGuid = await original(world);
      const order =
        operation === 'reversal'
          ? { operation, body: { originalGuid } }
          : { operation, body: { originalGuid, amount: '10.00', currency: 'EUR' } };
      const { moneyMoved } = await world.after(world.backOffice(order));
      assert.equal(world.bank.netMoved(), 0);
      assert.notEqual(moneyMoved, 'no');
    });
  }
}

for (const [operation, list] of [
  ['refund', asReversal],
  ['saleReversal', asRefund],
] as const) {
  test(`a ${operation} on the terminal that the service does otherwise, and that nobody answers, is not told as not done`, async () => {
    const world = atOddService({
      answer: (request, serve) =>
        JSON.parse(request.body || '{}').operation === operation ? serve().then(() => CUT) : undefined,
      list,
    });
    const originalTransactionId = await original(world);
    const { moneyMoved } = await world.after(world.sale({ operation, originalTransactionId }));
    assert.equal(world.bank.netMoved(), 0);
    assert.notEqual(moneyMoved, 'no');
  });
}
