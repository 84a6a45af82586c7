import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { action, type Left, type Message, startFlow, typed } from './flow.js';
import { FlowSuite } from './flow-suite.js';

/** What is about an earlier payment: which one, in which currency, and how much of it. */

const unchecked = { checkOriginal: 'false', checkOriginalType: 'bool' };
const linked = typed('linked', 'linked');
const keyed = typed('how', 'keyed');

const NODES = [
  action('tip', 'payment-tip', { tip: 'tip', tipType: 'msg' }),
  action('tip-unchecked', 'payment-tip', { tip: 'tip', tipType: 'msg', ...unchecked }),
  action('refund', 'payment-refund'),
  action('refund-unchecked', 'payment-refund', unchecked),
  action('reversal', 'payment-reversal'),
  action('part', 'payment-reversal', typed('whole', 'part')),
  action('on-terminal', 'payment-reversal', typed('where', 'terminal')),
  action('part-on-terminal', 'payment-reversal', { ...typed('where', 'terminal'), ...typed('whole', 'part') }),
  action('hold', 'payment-preauth', typed('operation', 'create')),
  action('increase', 'payment-preauth', typed('operation', 'increase')),
  action('increase-by', 'payment-preauth', { ...typed('operation', 'increase'), amount: 'more', amountType: 'msg' }),
  action('decrease', 'payment-preauth', typed('operation', 'decrease')),
  action('capture', 'payment-preauth', { ...typed('operation', 'capture'), tip: 'tip', tipType: 'msg' }),
  action('capture-unchecked', 'payment-preauth', { ...typed('operation', 'capture'), ...unchecked }),
  action('release', 'payment-preauth', typed('operation', 'release')),
  action('token', 'payment-token', typed('operation', 'fetch')),
  action('moto', 'payment-moto', typed('operation', 'sale')),
  action('moto-refund', 'payment-moto', { ...typed('operation', 'refund'), ...linked }),
  action('moto-refund-unchecked', 'payment-moto', { ...typed('operation', 'refund'), ...linked, ...unchecked }),
  action('keyed-refund', 'payment-moto', { ...typed('operation', 'refund'), ...linked, ...keyed }),
  action('moto-reversal', 'payment-moto', typed('operation', 'reversal')),
];

const ids = ({ payload: { transactionId, reference } }: Message) => ({ transactionId, reference });
const problemOf = ({ msg }: Left): string => String((msg.error as { message: string } | undefined)?.message);

describe('what is about an earlier payment', () => {
  const suite = new FlowSuite({ more: NODES });
  let price = 3000;

  const run = (node: string, { payload, ...msg }: Record<string, unknown>): Promise<Left> =>
    suite.flow.run({ ...msg, payload: structuredClone(payload) }, node);

  /** Runs what has to succeed. */
  async function done(node: string, msg: Record<string, unknown>): Promise<Message> {
    const left = await run(node, msg);
    assert.equal(left.output, 'done', `${problemOf(left)} ${JSON.stringify(left.msg.payload.error)}`);
    return left.msg;
  }

  /** Runs what has to be refused at once: nothing is sent, and nothing moves. */
  async function refused(node: string, msg: Record<string, unknown>, problem: RegExp): Promise<void> {
    const entries = suite.service.bank.entries().length;
    const sent = suite.service.simulator.requests.latest().length;
    const left = await run(node, msg);
    assert.equal(left.output, 'mistake', JSON.stringify(left.msg.payload.amount));
    assert.match(problemOf(left), problem);
    assert.equal(suite.service.simulator.requests.latest().length, sent, 'something was sent');
    assert.equal(suite.service.bank.entries().length, entries);
  }

  /** Of an amount of its own: the same twice within five minutes would ask the cardholder. */
  const paid = (node: string, money: object = {}): Promise<Message> =>
    done(node, { payload: { amount: (++price / 100).toFixed(2), ...money } });

  const moved = ({ payload }: Message): number => suite.service.bank.netMoved(payload.reference);
  const held = ({ payload }: Message): number => suite.service.bank.netHeld(payload.reference);
  const major = (minor: number): string => (minor / 100).toFixed(2);

  describe('in which currency', () => {
    for (const node of ['increase', 'decrease', 'capture', 'capture-unchecked']) {
      test(`${node} in another currency than the hold goes to Catch`, async () => {
        const hold = await paid('hold');
        const payload = { ...ids(hold), amount: '5', currency: 'JPY' };
        await refused(
          node,
          { payload },
          /msg\.payload\.currency: expected the currency of the original, EUR, got "JPY"/,
        );
        assert.equal(held(hold), price);
      });
    }

    test('a capture whose tip is in another currency goes to Catch', async () => {
      const hold = await paid('hold');
      const payload = { ...hold.payload, currency: 'JPY' };
      await refused('capture', { payload, tip: '500' }, /currency of the original, EUR/);
    });

    for (const node of ['tip', 'tip-unchecked']) {
      test(`${node} in another currency than the sale goes to Catch`, async () => {
        const sale = await paid('sale', { amount: '5000', currency: 'JPY' });
        const payload = { ...ids(sale), amount: { currency: 'EUR' } };
        await refused(node, { payload, tip: '500.00' }, /currency of the original, JPY, got "EUR"/);
        assert.equal(moved(sale), 5000);
        await done('reversal', sale);
      });
    }

    for (const node of ['refund', 'refund-unchecked', 'moto-refund', 'keyed-refund', 'part', 'moto-reversal']) {
      test(`${node} in another currency than the payment goes to Catch`, async () => {
        const sale = await paid('sale');
        const payload = { ...ids(sale), amount: '1.00', currency: 'USD' };
        await refused(node, { payload }, /currency of the original, EUR, got "USD"/);
        assert.equal(moved(sale), price);
      });
    }

    test('where the amount is that of an earlier result, another currency goes to Catch too', async () => {
      const dollars = await paid('sale', { currency: 'USD' });
      const problem = /msg\.payload\.currency: expected the currency of the original, USD, got "EUR"/;
      for (const node of ['refund', 'moto-refund', 'part', 'moto-reversal', 'part-on-terminal'])
        await refused(node, { payload: { ...dollars.payload, currency: 'EUR' } }, problem);
      const tipped = await done('tip', { ...dollars, tip: '2.00' });
      for (const node of ['refund', 'part', 'moto-reversal'])
        await refused(node, { payload: { ...tipped.payload, currency: 'EUR' } }, problem);
      const other = /msg\.payload\.currency: expected the currency of msg\.payload\.amount, USD, got "EUR"/;
      await refused('sale', { payload: { ...dollars.payload, currency: 'EUR' } }, other);
      await done('refund', { payload: { ...tipped.payload, currency: 'USD' } });
      assert.equal(moved(dollars), 0);
    });

    test('what names no currency is in that of the original, not in that of the environment', async () => {
      const hold = await paid('hold', { amount: '7000', currency: 'JPY' });
      const { payload } = await done('increase', { payload: { ...ids(hold), amount: '500' } });
      assert.deepEqual([payload.amount?.total, payload.amount?.currency], ['500', 'JPY']);
      assert.equal(held(hold), 7500);
      const sale = await paid('sale', { amount: '7.125', currency: 'KWD' });
      const tipped = await done('tip', { payload: ids(sale), tip: '1.5' });
      assert.deepEqual([tipped.payload.amount?.total, tipped.payload.amount?.currency], ['1.500', 'KWD']);
      assert.equal(moved(sale), 8625);
      const dollars = await paid('sale', { currency: 'USD' });
      const part = await done('part', { payload: { ...ids(dollars), amount: '5.00' } });
      assert.equal(part.payload.amount?.currency, 'USD');
      assert.equal(moved(dollars), price - 500);
    });

    test('where the journal does not know the original, its result does', async () => {
      const { payload, ...hold } = await paid('hold', { amount: '9000', currency: 'JPY' });
      await suite.flow.stop();
      suite.flow = await startFlow({ service: suite.service, more: NODES });
      await refused('increase-by', { ...hold, payload, more: '1.50' }, /whole amount of JPY/);
      const { amount } = (await done('increase-by', { ...hold, payload, more: '150' })).payload;
      assert.deepEqual([amount?.total, amount?.currency], ['150', 'JPY']);
      assert.equal(suite.service.bank.netHeld(payload.reference), 9150);
    });
  });

  describe('which one: a result of a change stands for what it changed', () => {
    test('a tip is followed by a reversal, and all goes back', async () => {
      const sale = await paid('sale');
      const tipped = await done('tip', { ...sale, tip: '2.00' });
      assert.equal(moved(sale), price + 200);
      await done('reversal', tipped);
      assert.equal(moved(sale), 0);
    });

    test('a tip is followed by a refund of all there is, by another tip, and by a token', async () => {
      const sale = await paid('sale');
      const tipped = await done('tip', { ...sale, tip: '2.00' });
      const again = await done('tip', { ...tipped, tip: '3.00' });
      assert.equal(moved(sale), price + 300);
      assert.ok((await done('token', again)).payload.card.token);
      const { payload } = await done('refund', again);
      assert.equal(payload.amount?.total, major(price + 300));
      assert.equal(moved(sale), 0);
    });

    for (const [change, by] of [
      ['increase', 500],
      ['decrease', -500],
    ] as const) {
      test(`after ${change} a capture takes what is held by then`, async () => {
        const hold = await paid('hold');
        const changed = await done(change, { payload: { ...hold.payload, amount: '5.00' } });
        const { payload } = await done('capture', changed);
        assert.equal(payload.amount?.total, major(price + by));
        assert.deepEqual([moved(hold), held(hold)], [price + by, 0]);
      });
    }

    test('a change of a hold is followed by its release', async () => {
      const hold = await paid('hold');
      await done('release', await done('increase', { payload: { ...hold.payload, amount: '5.00' } }));
      assert.equal(held(hold), 0);
    });

    test('a hold is not changed by the amount of what came before', async () => {
      const hold = await paid('hold');
      for (const node of ['increase', 'decrease']) {
        await refused(node, hold, /msg\.payload\.amount: expected an amount for this operation/);
      }
      const more = await done('increase', { payload: { ...hold.payload, amount: '5.00' } });
      await refused('increase', more, /msg\.payload\.amount: expected an amount for this operation/);
      assert.equal(held(hold), price + 500);
    });

    test('a reversal of a part is followed by a refund of what is left', async () => {
      const sale = await paid('sale');
      const part = await done('part', { payload: { ...sale.payload, amount: '4.00' } });
      const { payload } = await done('refund', part);
      assert.equal(payload.amount?.total, major(price - 400));
      assert.equal(moved(sale), 0);
    });

    test('a reversal of the whole leaves nothing to refund', async () => {
      const sale = await paid('sale');
      const back = await done('reversal', sale);
      await refused('refund', back, /an amount left/);
    });
  });

  describe('how much of it', () => {
    const ask = (original: Message, amount: number, currency = 'EUR') => ({
      payload: { ...ids(original), amount: major(amount), currency },
    });

    test('the last tip counts, not the sum of all', async () => {
      const sale = await paid('sale');
      await done('tip', { ...sale, tip: '2.00' });
      await done('tip', { ...sale, tip: '0' });
      await refused(
        'refund',
        ask(sale, price + 100),
        new RegExp(`at most ${major(price)}, the amount left of the original`),
      );
      await done('tip', { ...sale, tip: '3.00' });
      await done('refund', ask(sale, price + 300));
      assert.equal(moved(sale), 0);
    });

    test('a refund that was taken back can be given again', async () => {
      const sale = await paid('sale');
      const refund = await done('refund', sale);
      await refused('refund', sale, /at most 0\.00/);
      await done('reversal', refund);
      assert.equal(moved(sale), price);
      await done('refund', sale);
      assert.equal(moved(sale), 0);
    });

    test('of two messages at once that give the whole back one goes to Catch, and its money stays with the other', async () => {
      const sale = await paid('sale');
      const told = suite.flow.answers().length;
      for (let sent = 0; sent < 2; sent++) suite.flow.send({ payload: structuredClone(sale.payload) }, 'refund');
      const [one, other] = [await suite.flow.answer(told + 1), await suite.flow.answer(told + 2)];
      assert.deepEqual([one.output, other.output], ['mistake', 'done']);
      const underWay = `while operation ${other.msg.payload.operationId} is under way: wait for its result`;
      assert.match(problemOf(one), new RegExp(`at most 0\\.00, the amount left of the original ${underWay}`));
      assert.equal(moved(sale), 0);
    });

    test('a capture has what was captured, with its tip', async () => {
      const hold = await paid('hold');
      const captured = await done('capture', { ...hold, tip: '1.00' });
      const all = price + 100;
      await refused('refund', ask(captured, all + 1), new RegExp(`at most ${major(all)}`));
      await done('refund', ask(captured, all));
      assert.equal(moved(hold), 0);
    });

    test('a payment by token has what it took, for every kind of refund', async () => {
      const { payload } = await done('token', await paid('sale'));
      const sale = await done('moto', { payload: { amount: '30.00', currency: 'EUR', card: payload.card } });
      for (const node of ['refund', 'moto-refund', 'keyed-refund']) {
        await refused(node, ask(sale, 3001), /at most 30\.00/);
      }
      const above = await run('moto-refund-unchecked', ask(sale, 3001));
      assert.deepEqual([above.output, above.msg.payload.error?.code], ['not-done', '3209']);
      await done('refund', ask(sale, 1000));
      await refused('moto-refund', ask(sale, 2001), /at most 20\.00/);
      await refused('moto-reversal', ask(sale, 2001), /at most 20\.00 to reverse/);
      assert.equal(moved(sale), 2000);
    });

    test('the whole is taken back on the terminal with a tip that another till has set', async () => {
      const sale = await paid('sale');
      suite.service.simulator.other.tip(sale.payload.transactionId, 250);
      // Meanwhile the status service catches up.
      await paid('sale');
      const { payload } = await done('on-terminal', sale);
      assert.equal(payload.amount?.total, major(Number(sale.payload.amount?.minor.total) + 250));
      assert.equal(moved(sale), 0);
    });

    test('the whole is taken back on the terminal with its tip', async () => {
      const sale = await paid('sale');
      await done('tip', { ...sale, tip: '2.00' });
      const { payload } = await done('on-terminal', sale);
      assert.equal(payload.amount?.total, major(price + 200));
      assert.equal(moved(sale), 0);
    });

    test('a part is taken back on the terminal where a part is asked for', async () => {
      const sale = await paid('sale');
      await done('part-on-terminal', ask(sale, 400));
      assert.equal(moved(sale), price - 400);
    });

    test('a whole reversal that is wired into another one is refused by the service, not by the form', async () => {
      const back = await done('reversal', await paid('sale'));
      for (const node of ['reversal', 'on-terminal']) {
        const { output, msg } = await run(node, back);
        assert.equal(output, 'not-done', JSON.stringify(msg.error));
      }
    });
  });
});
