import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { action, type Message, typed } from './flow.js';
import { FlowSuite } from './flow-suite.js';

/** Options of operations that are asked for by few: they reach the service, and do what they say. */

const prompts = { duplicateCheck: 'false', bypassSignature: 'true', bypassPin: 'true' };
const bool = (fields: Record<string, string>): object =>
  Object.fromEntries(Object.keys(fields).map((name) => [`${name}Type`, 'bool']));

const NODES = [
  action('refund', 'payment-refund', { ...prompts, ...bool(prompts) }),
  action('hold', 'payment-preauth', { billingZip: '12345', billingAddress: 'High Street 1' }),
  action('reversal', 'payment-reversal', typed('timestamp', '20260131235959000')),
  action('tokenise', 'payment-sale', typed('operation', 'saleAndTokenizeCard')),
  action('keyed', 'payment-moto', {
    ...typed('operation', 'sale'),
    ...typed('how', 'keyed'),
    deadline: '180',
    ...prompts,
    ...bool(prompts),
  }),
  action('by-token', 'payment-moto', typed('how', 'tokenOnTerminal')),
  action('refund-by-token', 'payment-moto', { ...typed('how', 'tokenOnTerminal'), ...typed('operation', 'refund') }),
  action('detail', 'payment-batch', {
    ...typed('operation', 'detail'),
    customerReference: 'filter',
    customerReferenceType: 'msg',
  }),
];

describe('options that few ask for', () => {
  const suite = new FlowSuite({ more: NODES });

  async function done(node: string, msg: object): Promise<Message> {
    const left = await suite.flow.run(structuredClone(msg), node);
    assert.equal(left.output, 'done', JSON.stringify([left.msg.error, left.msg.payload.error]));
    return left.msg;
  }

  const sent = (path: RegExp): Record<string, unknown> =>
    suite.service.simulator.requests.latest().findLast((request) => path.test(request.path))?.body as Record<
      string,
      unknown
    >;

  test('a refund asks neither for a duplicate nor for a signature and a PIN', async () => {
    const sale = await done('sale', { payload: { amount: '41.00' } });
    await done('refund', sale);
    const { duplicate_check, bypassOptions } = sent(/^\/transactions$/);
    assert.deepEqual([duplicate_check, bypassOptions], [false, { signatureBypass: true, pinBypass: true }]);
    assert.equal(suite.service.bank.netMoved(sale.payload.reference), 0);
  });

  test('a keyed payment asks for no duplicate either, and takes a deadline', async () => {
    const { payload } = await done('keyed', { payload: { amount: '41.50' } });
    assert.equal(payload.outcome, 'approved');
    const { operation, duplicate_check } = sent(/^\/transactions$/);
    assert.deepEqual([operation, duplicate_check], ['moToSale', false]);
  });

  test('a hold is placed with an address check', async () => {
    const hold = await done('hold', { payload: { amount: '42.00' } });
    assert.deepEqual(sent(/^\/transactions$/).billing, { zipCode: '12345', address: 'High Street 1' });
    assert.equal(suite.service.bank.netHeld(hold.payload.reference), 4200);
  });

  test('a reversal carries its time', async () => {
    const sale = await done('sale', { payload: { amount: '43.00' } });
    await done('reversal', sale);
    assert.equal(sent(/^\/reversal$/).timestamp, '20260131235959000');
    assert.equal(suite.service.bank.netMoved(sale.payload.reference), 0);
  });

  test('a token pays on the terminal without a form, and pays alone', async () => {
    const { payload } = await done('tokenise', { payload: { amount: '44.00' } });
    const before = suite.service.bank.entries().length;
    const paid = await done('by-token', { payload: { amount: '45.00', card: payload.card } });
    assert.equal(paid.payload.operation, 'moToSale');
    assert.deepEqual(
      suite.service.bank
        .entries()
        .slice(before)
        .map(({ moved }) => moved),
      [4500],
    );
    assert.ok('cardToken' in sent(/^\/transactions$/));
    const refund = await suite.flow.run({ payload: { amount: '1.00', card: payload.card } }, 'refund-by-token');
    assert.equal(refund.output, 'mistake');
    assert.match(String((refund.msg.error as { message: string }).message), /operation: expected sale/);
  });

  test('the detail of a batch is filtered by a reference that is an object', async () => {
    await done('detail', { payload: { batch: '123' }, filter: { till: 3 } });
    assert.deepEqual(sent(/^\/batch\/detail$/).customerReference, { till: 3 });
  });
});
