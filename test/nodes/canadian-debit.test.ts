import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { action, type Flow, type Message, type Service, startFlow, startService } from './flow.js';

const typed = (name: string, value: string): object => ({ [name]: value, [`${name}Type`]: 'str' });

const NODES = [
  action('hold', 'payment-preauth', typed('operation', 'create')),
  action('increase', 'payment-preauth', typed('operation', 'increase')),
  action('release', 'payment-preauth', typed('operation', 'release')),
  action('release-by-reversal', 'payment-reversal'),
  action('reversal', 'payment-reversal'),
  action('on-terminal', 'payment-reversal', typed('where', 'terminal')),
  action('tip', 'payment-tip'),
  action('refund', 'payment-refund'),
];

for (const checkGroup of [true, false]) {
  describe(`Canadian debit, ${checkGroup ? 'checked' : 'not checked'}`, () => {
    let service: Service;
    let flow: Flow;

    before(async () => {
      const cardholder = { tapAfterMs: 5, card: { scheme: 'INTERAC' } } as const;
      service = await startService({ merchants: [{ group: 'S' }], cardholder });
      flow = await startFlow({ service, environment: { group: 'S', checkGroup }, more: NODES });
    });
    after(async () => {
      await flow.stop();
      await service.stop();
    });

    async function run(node: string, msg: object): Promise<{ output: string; msg: Message }> {
      const count = flow.answers().length;
      flow.send(msg, node);
      return flow.answer(count + 1);
    }

    const backOffice = (): number =>
      service.simulator.requests.latest().filter(({ path }) => /reversal|tip|increase/.test(path)).length;

    if (checkGroup) {
      test('is not reversed but refunded, and takes no tip: said before anything is sent', async () => {
        const sale = await run('sale', { payload: { amount: '20.01' } });
        for (const node of ['reversal', 'on-terminal', 'tip']) {
          const { output, msg } = await run(node, { payload: { ...sale.msg.payload }, tip: '2.00' });
          const { message } = msg.error as unknown as { message: string };
          assert.equal(output, 'mistake', JSON.stringify(msg.payload));
          assert.match(message, /msg\.payload\.transactionId: expected no .* Canadian debit/);
          if (node !== 'tip') assert.match(message, /linked refund/);
        }
        assert.equal(backOffice(), 0);
        const refund = await run('refund', sale.msg);
        assert.deepEqual([refund.output, refund.msg.payload.outcome], ['done', 'refunded']);
        assert.equal(service.bank.netMoved(refund.msg.payload.reference), 0);
      });

      test('a hold on it is not raised, but released', async () => {
        const { msg } = await run('hold', { payload: { amount: '30.00' } });
        const { reference, transactionId } = msg.payload;
        const raised = await run('increase', { payload: { transactionId, reference, amount: '5.00' } });
        assert.equal(raised.output, 'mistake', JSON.stringify(raised.msg.payload));
        const released = await run('release-by-reversal', { payload: { transactionId, reference } });
        assert.equal(released.output, 'done', JSON.stringify(released.msg.payload));
        assert.equal(service.bank.netHeld(reference), 0);
      });
    } else {
      test('is sent all the same, and the service says what it does not do', async () => {
        const sale = await run('sale', { payload: { amount: '20.02' } });
        const { output, msg } = await run('reversal', sale.msg);
        assert.deepEqual([output, msg.payload.error?.code], ['not-done', '3153']);
        assert.equal(backOffice(), 1);
      });
    }
  });
}
