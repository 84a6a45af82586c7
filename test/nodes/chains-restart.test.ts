import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { automaticCardholder, type Cardholder } from '../../src/simulator/index.js';
import { action, type Flow, type Message, type Service, startFlow, startService, typed } from './flow.js';

const NODES = [
  action('tip', 'payment-tip'),
  action('part', 'payment-reversal', typed('whole', 'part')),
  action('reversal', 'payment-reversal'),
  action('refund', 'payment-refund'),
  action('hold', 'payment-preauth', typed('operation', 'create')),
  action('increase', 'payment-preauth', typed('operation', 'increase')),
  action('decrease', 'payment-preauth', typed('operation', 'decrease')),
  action('capture', 'payment-preauth', { ...typed('operation', 'capture'), tip: 'tip', tipType: 'msg' }),
  action('net', 'payment-status', typed('operation', 'net')),
];

const TAPS = automaticCardholder({ tapAfterMs: 5 });

describe('a chain of operations whose Node-RED starts again in the middle of one', () => {
  let service: Service;
  let folder: string;
  let flow: Flow;
  let person: Cardholder = TAPS;

  before(async () => {
    service = await startService({
      cardholder: (screen, terminal) => person(screen, terminal),
      timings: { toGatewayMs: 5, fromGatewayMs: 5, statusLagMs: 0 },
    });
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
    flow = await startFlow({ service, folder, more: NODES });
  });
  after(async () => {
    await flow.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function run(node: string, msg: object): Promise<Message> {
    const { output, msg: answer } = await flow.run(msg, node);
    assert.equal(output, 'done', `${node}: ${JSON.stringify(answer.payload)} ${JSON.stringify(answer.error)}`);
    return answer;
  }

  /** Sends a message, starts Node-RED anew once the service has it, and hears the answer there. */
  async function runOverRestart(node: string, msg: object, reached: Promise<void>): Promise<Message> {
    flow.send({ ...msg, order: node }, node);
    await reached;
    await flow.stop();
    flow = await startFlow({ service, folder, more: NODES });
    person = TAPS;
    const terminal = service.simulator.terminal('10000001');
    if (terminal.screen.stage === 'awaiting-card') terminal.presentCard();
    const { output, msg: answer } = await flow.answer(1);
    assert.equal(output, 'done', `${node}: ${JSON.stringify(answer.payload)} ${JSON.stringify(answer.error)}`);
    assert.equal(answer.order, node);
    return answer;
  }

  /** Resolves once the service has carried out a request to this endpoint; its answer is lost. */
  function answerLost(endpoint: string): Promise<void> {
    return new Promise((resolve) => {
      service.simulator.faults.decideBy((at) => {
        if (at.moment !== 'answer' || at.endpoint !== endpoint) return undefined;
        service.simulator.faults.decideBy(undefined);
        resolve();
        return { kind: 'answer-lost' };
      });
    });
  }

  /** Resolves once a card is asked for; nobody presents one. */
  function cardAskedFor(): Promise<void> {
    return new Promise((resolve) => {
      person = ({ stage }) => {
        if (stage === 'awaiting-card') resolve();
        return undefined;
      };
    });
  }

  async function net(reference: string): Promise<number> {
    const { payload } = await run('net', { payload: { reference } });
    return (payload as unknown as { amount: { minor: { total: number } } }).amount.minor.total;
  }

  test('sale, tip, reversal of a part, refund: the ledger agrees with the net amount', async () => {
    const sale = await run('sale', { payload: { amount: '20.00' } });
    const { reference, transactionId } = sale.payload;
    const follow = (amount: string): object => ({ payload: { transactionId, reference, amount, currency: 'EUR' } });
    await run('tip', { ...sale, tip: '2.00' });
    await runOverRestart('part', follow('5.00'), answerLost('POST /reversal'));
    assert.equal(service.bank.netMoved(reference), 1700);
    await runOverRestart('refund', follow('3.00'), cardAskedFor());
    assert.equal(service.bank.netMoved(reference), 1400);
    assert.equal(await net(reference), 1400);
    // The reversal went out twice: a later one takes the place of an earlier one, so the second moved nothing.
    const entries = service.bank.entries(reference).filter(({ moved }) => moved !== 0);
    assert.deepEqual(
      entries.map(({ kind, moved }) => [kind, moved]),
      [
        ['charge', 2000],
        ['tip', 200],
        ['reversal', -500],
        ['refund', -300],
      ],
    );
  });

  test('hold, two increases, a decrease, a capture, its reversal: the ledger agrees with the net amount', async () => {
    const { payload: hold } = await run('hold', { payload: { amount: '100.00' } });
    const { reference, transactionId } = hold;
    const follow = (amount: string): object => ({ payload: { transactionId, reference, amount, currency: 'EUR' } });
    await run('increase', follow('20.00'));
    await runOverRestart('increase', follow('5.00'), answerLost('POST /preauthorization/increase'));
    assert.equal(service.bank.netHeld(reference), 12_500);
    await run('decrease', follow('15.00'));
    assert.equal(service.bank.netHeld(reference), 11_000);
    const captured = await run('capture', { ...follow('90.00'), tip: '9.00' });
    assert.deepEqual([service.bank.netMoved(reference), service.bank.netHeld(reference)], [9900, 0]);
    assert.equal(await net(reference), 9900);
    await runOverRestart('reversal', captured, answerLost('POST /reversal'));
    assert.deepEqual([service.bank.netMoved(reference), service.bank.netHeld(reference)], [0, 0]);
    assert.equal(await net(reference), 0);
    assert.deepEqual(
      service.bank.entries(reference).map(({ kind, moved, held }) => [kind, moved, held]),
      [
        ['hold', 0, 10_000],
        ['hold-change', 0, 2000],
        ['hold-change', 0, 500],
        ['hold-change', 0, -1500],
        ['capture', 9900, -11_000],
        ['reversal', -9900, 0],
      ],
    );
  });
});
