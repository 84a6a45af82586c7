import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { action, type Left, type Message, typed } from './flow.js';
import { FlowSuite } from './flow-suite.js';

/** A result of one node wired into the next, as a person wires it. */
const NODES = [
  action('refund', 'payment-refund'),
  action('unlinked', 'payment-refund', typed('operation', 'unlinked')),
  action('reversal', 'payment-reversal'),
  action('on-terminal', 'payment-reversal', typed('where', 'terminal')),
  action('hold', 'payment-preauth', typed('operation', 'create')),
  action('capture', 'payment-preauth', { ...typed('operation', 'capture'), tip: 'tip', tipType: 'msg' }),
  action('release', 'payment-preauth', typed('operation', 'release')),
  action('token', 'payment-token', typed('operation', 'fetch')),
  action('tokenise', 'payment-token', typed('operation', 'tokenizeCard')),
  action('moto', 'payment-moto', typed('operation', 'sale')),
  action('moto-refund', 'payment-moto', { ...typed('operation', 'refund'), ...typed('linked', 'linked') }),
  action('keyed', 'payment-moto', { ...typed('operation', 'sale'), ...typed('how', 'keyed') }),
  action('close', 'payment-batch', typed('operation', 'close')),
  action('summary', 'payment-batch', typed('operation', 'summary')),
  action('detail', 'payment-batch', typed('operation', 'detail')),
  action('all', 'payment-status', typed('selector', 'all')),
  action('journal-look', 'payment-status', typed('operation', 'journal')),
  action('list', 'payment-device', typed('operation', 'list')),
  action('ping', 'payment-device', typed('operation', 'pingDevice')),
  action('stop', 'payment-device', typed('operation', 'stopCurrentTransaction')),
  action('print', 'payment-device', typed('operation', 'printReceipt')),
  action('loyalty', 'payment-device', typed('operation', 'cardPan')),
  action('locale', 'payment-device', {
    ...typed('operation', 'set-locale'),
    settings: '{"locale":"de_DE"}',
    settingsType: 'json',
  }),
  action('bad-locale', 'payment-device', {
    ...typed('operation', 'set-locale'),
    settings: '{"locale":"german"}',
    settingsType: 'json',
  }),
];

describe('results wired into the next node', () => {
  const suite = new FlowSuite({ more: NODES });

  const run = (node: string, msg: object): Promise<Left> => suite.flow.run(msg, node);

  let price = 2000;
  /** A sale of an amount of its own: the same twice within five minutes would ask the cardholder. */
  async function sold(): Promise<Message> {
    price++;
    return (await run('sale', { payload: { amount: (price / 100).toFixed(2) } })).msg;
  }

  test('a result is reversed as a whole without setting anything', async () => {
    const sale = await sold();
    const { output, msg } = await run('reversal', sale);
    assert.deepEqual([output, msg.payload.outcome, msg.payload.moneyMoved], ['done', 'refunded', 'yes']);
    assert.equal(suite.service.bank.netMoved(msg.payload.reference), 0);
  });

  test('a second reversal is refused with 3051', async () => {
    const sale = await sold();
    const again = { payload: { ...sale.payload } };
    await run('reversal', sale);
    const { output, msg } = await run('reversal', again);
    assert.deepEqual([output, msg.payload.error?.code], ['not-done', '3051']);
  });

  test('a sale is reversed on the terminal', async () => {
    const sale = await sold();
    const { output, msg } = await run('on-terminal', sale);
    assert.equal(output, 'done', JSON.stringify(msg.payload));
    assert.equal(suite.service.bank.netMoved(sale.payload.reference), 0);
  });

  test('a hold is released, and no money moves', async () => {
    const { msg: hold } = await run('hold', { payload: { amount: '50.00' } });
    const { msg } = await run('release', hold);
    assert.deepEqual([msg.payload.outcome, msg.payload.moneyMoved], ['completed', 'no']);
    assert.equal(suite.service.bank.netHeld(msg.payload.reference), 0);
  });

  test('a capture above the hold goes to Catch before it is sent', async () => {
    const { msg: hold } = await run('hold', { payload: { amount: '40.00' } });
    const { transactionId, reference } = hold.payload;
    const { output, msg } = await run('capture', {
      payload: { transactionId, reference, amount: '99.00', currency: 'EUR' },
    });
    assert.equal(output, 'mistake', JSON.stringify(msg.payload));
    assert.match(String((msg.error as { message: string }).message), /at most 40\.00/);
  });

  test('a refund above the original, or in another currency, goes to Catch before a card is asked for', async () => {
    const sale = await sold();
    const { transactionId, reference } = sale.payload;
    const above = await run('refund', { payload: { transactionId, reference, amount: '999.00', currency: 'EUR' } });
    assert.equal(above.output, 'mistake');
    const foreign = await run('refund', { payload: { transactionId, reference, amount: '1.00', currency: 'USD' } });
    assert.match(String((foreign.msg.error as { message: string }).message), /EUR/);
    assert.equal(suite.service.bank.netMoved(reference), price);
  });

  test('refunds add up: what is left is what the original has left', async () => {
    const sale = await sold();
    const { transactionId, reference } = sale.payload;
    const refund = (amount: string): Promise<Left> =>
      run('refund', { payload: { transactionId, reference, amount, currency: 'EUR' } });
    assert.equal((await refund('15.00')).output, 'done');
    const above = await refund('10.00');
    assert.equal(above.output, 'mistake', JSON.stringify(above.msg.payload));
    assert.equal((await refund('5.00')).output, 'done');
    assert.equal(suite.service.bank.netMoved(reference), price - 2000);
  });

  test('a refund to any card needs no original', async () => {
    const { output, msg } = await run('unlinked', { payload: { amount: '6.00', currency: 'EUR' } });
    assert.deepEqual([output, msg.payload.outcome], ['done', 'refunded']);
    assert.equal(suite.service.bank.netMoved(msg.payload.reference), -600);
  });

  test('a token of a payment pays again, and that is refunded', async () => {
    const sale = await sold();
    const { msg: withToken } = await run('token', sale);
    assert.ok(withToken.payload.card.token);
    const { output, msg: paid } = await run('moto', {
      ...withToken,
      payload: { ...withToken.payload, amount: '8.00', currency: 'EUR' },
    });
    assert.deepEqual([output, paid.payload.outcome], ['done', 'approved'], JSON.stringify(paid.payload));
    assert.equal(suite.service.bank.netMoved(paid.payload.reference), 800);
    const { output: back } = await run('moto-refund', paid);
    assert.equal(back, 'done');
    assert.equal(suite.service.bank.netMoved(paid.payload.reference), 0);
  });

  test('a card is stored on the terminal, and keyed in on it', async () => {
    const { msg } = await run('tokenise', { payload: {} });
    assert.equal(msg.payload.outcome, 'completed', JSON.stringify(msg.payload));
    assert.ok(msg.payload.card.token);
    const { output, msg: keyed } = await run('keyed', { payload: { amount: '4.00', currency: 'EUR' } });
    assert.deepEqual([output, keyed.payload.outcome], ['done', 'approved'], JSON.stringify(keyed.payload));
  });

  test('status by reference with every entry, and a look into the journal', async () => {
    const sale = await sold();
    const { reference } = sale.payload;
    const { output, msg } = await run('all', { payload: { reference } });
    assert.equal(output, 'done');
    assert.equal((msg.payload as unknown as { results: object[] }).results.length, 1);
    const looked = await run('journal-look', { payload: { reference } });
    const { operations } = looked.msg.payload as unknown as { operations: { operationId: string }[] };
    assert.equal(operations[0]?.operationId, sale.payload.operationId);
  });

  test('terminals are listed without the virtual one and without secrets', async () => {
    const { msg } = await run('list', {});
    const { terminals } = msg.payload as unknown as { terminals: Record<string, unknown>[] };
    assert.equal(terminals.length, 3);
    assert.ok(terminals.every((terminal) => terminal.terminal_type !== 'VT' && !('ssk' in terminal)));
  });

  test('a ping tells about the device, a stop finds nothing to stop, a setting is taken', async () => {
    const ping = await run('ping', {});
    assert.deepEqual([ping.output, ping.msg.payload.outcome], ['done', 'completed'], JSON.stringify(ping.msg.payload));
    const stop = await run('stop', {});
    assert.deepEqual([stop.output, stop.msg.payload.error?.code], ['not-done', '1005']);
    assert.equal((await run('locale', {})).output, 'done');
    const bad = await run('bad-locale', {});
    assert.equal(bad.output, 'mistake');
    assert.match(String((bad.msg.error as { message: string }).message), /locale.*en_US.*german/);
  });

  test('a receipt is printed, and a loyalty card is read for the one message that asked', async () => {
    const sale = await sold();
    assert.equal((await run('print', sale)).output, 'done');
    const { msg } = await run('loyalty', {});
    assert.equal(msg.payload.outcome, 'completed', JSON.stringify(msg.payload));
    const pan = String(msg.payload.result.unMaskedPan);
    assert.match(pan, /^\d{12,19}$/);
    const looked = await run('journal-look', { payload: { reference: msg.payload.operationId } });
    assert.ok(!JSON.stringify(looked.msg.payload).includes(pan));
  });

  test('a batch is closed, summed up and shown in detail; a reversal after it is refused', async () => {
    const sale = await sold();
    const closed = await run('close', { payload: { batch: '123' } });
    assert.equal(closed.output, 'done', JSON.stringify(closed.msg.payload));
    const summary = await run('summary', { payload: { batch: '123' } });
    assert.ok(Number(summary.msg.payload.result.transactionCount) > 0);
    const detail = await run('detail', { payload: { batch: '123' } });
    assert.ok((detail.msg.payload.result.details as object[]).length > 0);
    const late = await run('reversal', sale);
    assert.deepEqual([late.output, late.msg.payload.error?.code], ['not-done', '3153']);
  });
});
