import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { automaticCardholder, type Cardholder } from '../../src/simulator/index.js';
import { action, type Left, typed } from './flow.js';
import { FlowSuite } from './flow-suite.js';

const TAPS = automaticCardholder({ tapAfterMs: 5 });

const NODES = [
  action('reversal', 'payment-reversal'),
  action('refund', 'payment-refund'),
  action('unchecked', 'payment-refund', { checkOriginal: 'false', checkOriginalType: 'bool' }),
  action('close', 'payment-batch', typed('operation', 'close')),
  action('status', 'payment-status'),
];

/** What a merchant has to show before such a service lets him take money. */
describe('the certification run', () => {
  const suite = new FlowSuite({ more: NODES }, { cardholder: (screen, terminal) => person(screen, terminal) });
  let person: Cardholder = TAPS;

  const run = (node: string, msg: object): Promise<Left> => suite.flow.run(msg, node);
  const pay = (amount: string): Promise<Left> => run('sale', { payload: { amount } });

  /** How a message left, what it says of the money, and what the ledger says. */
  function truth({ output, msg }: Left): unknown[] {
    const { outcome, moneyMoved, reference } = msg.payload;
    return [output, outcome, moneyMoved, suite.service.bank.netMoved(reference)];
  }

  /** What the status service says of a message's payment. */
  async function finStatus({ msg }: Left): Promise<unknown> {
    const asked = await run('status', { payload: { reference: msg.payload.reference } });
    return (asked.msg.payload as unknown as { results: { finStatus: string }[] }).results[0]?.finStatus;
  }

  test('the reference is on disk before the request is at the service', async () => {
    const onDisk: boolean[] = [];
    suite.service.simulator.faults.decideBy(({ moment, endpoint, reference = '' }) => {
      if (moment === 'request' && endpoint === 'POST /transactions')
        onDisk.push(isOnDisk(suite.flow.folder, reference));
      return undefined;
    });
    const paid = await pay('10.01');
    suite.service.simulator.faults.clear();
    assert.deepEqual(onDisk, [true]);
    assert.deepEqual(truth(paid), ['done', 'approved', 'yes', 1001]);
  });

  test('the connection is cut before the answer: charged once, and told so', async () => {
    suite.service.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
    const paid = await pay('10.02');
    assert.deepEqual(truth(paid), ['done', 'approved', 'yes', 1002]);
    assert.equal(suite.service.bank.charges(paid.msg.payload.reference).length, 1);
    assert.deepEqual(suite.service.simulator.faults.counts()['answer-lost'], 1);
  });

  test('a partial approval that the cardholder accepts', async () => {
    const paid = await pay('37.57');
    assert.deepEqual(truth(paid), ['needs-attention', 'partial', 'partly', 1100]);
    assert.deepEqual([paid.msg.payload.amount?.total, paid.msg.payload.amount?.due], ['11.00', '26.57']);
    assert.equal(paid.msg.payload.retry, 'remainder-only');
  });

  test('a partial approval that the cardholder declines', async () => {
    person = automaticCardholder({ tapAfterMs: 5, acceptPartial: false });
    const paid = await pay('37.57');
    assert.deepEqual(truth(paid), ['not-done', 'cancelled', 'no', 0]);
  });

  test('a partial approval that the cardholder declines, and that cannot be reversed: the charge stands', async () => {
    suite.service.simulator.faults.arm({ kind: 'reversal-fails' });
    const paid = await pay('37.57');
    person = TAPS;
    assert.deepEqual(truth(paid), ['needs-attention', 'partial', 'partly', 1100]);
  });

  test('the chip card is pulled after the approval: what the status service calls authorised is not believed', async () => {
    const seen: unknown[] = [];
    person = (screen, terminal) => {
      if (screen.stage === 'awaiting-card')
        return { afterMs: 5, act: { do: 'present-card', card: { entry: 'ICC', verification: 'NOT_REQUIRED' } } };
      return TAPS(screen, terminal);
    };
    suite.service.simulator.faults.arm({ kind: 'chip-pulled' });
    const paid = await pay('10.03');
    person = TAPS;
    seen.push(...suite.service.bank.entries(paid.msg.payload.reference).map(({ kind }) => kind));
    assert.deepEqual(seen, ['charge', 'reversal']);
    assert.deepEqual(truth(paid), ['not-done', 'declined', 'no', 0]);
    assert.equal(await finStatus(paid), 'CANCELLED');
  });

  test('the same callback twice is one message, one result, one charge', async () => {
    suite.service.simulator.faults.arm({ kind: 'callback-twice' });
    const before = suite.flow.messages.length;
    const paid = await pay('10.04');
    // A payment after it: whatever the second callback would have set off has left by then.
    await pay('10.05');
    assert.deepEqual(suite.service.simulator.faults.counts()['callback-twice'], 1);
    const about = suite.flow.messages
      .slice(before)
      .filter(({ msg }) => msg.payload.reference === paid.msg.payload.reference);
    assert.deepEqual(about.map(({ output }) => output).sort(), ['done', 'results']);
    assert.deepEqual(truth(paid), ['done', 'approved', 'yes', 1004]);
    assert.equal(suite.service.bank.charges(paid.msg.payload.reference).length, 1);
  });

  test('a second reversal is refused with 3051, and takes nothing more back', async () => {
    const paid = await pay('10.06');
    const again = { payload: { ...paid.msg.payload } };
    assert.deepEqual(truth(await run('reversal', paid.msg)), ['done', 'refunded', 'yes', 0]);
    const second = await run('reversal', again);
    assert.deepEqual(truth(second), ['not-done', 'refused', 'no', 0]);
    assert.equal(second.msg.payload.error?.code, '3051');
  });

  test('a refund above the original asks for no card; overruled, the service declines it', async () => {
    const { msg } = await pay('10.07');
    const { reference, transactionId } = msg.payload;
    const above = () => ({ payload: { reference, transactionId, amount: '10.08', currency: 'EUR' } });
    const asked = suite.service.simulator.requests.latest().length;
    const guarded = await run('refund', above());
    assert.equal(guarded.output, 'mistake');
    assert.match(String((guarded.msg.error as { message: string }).message), /at most 10\.07.*got "10\.08"/);
    assert.equal(suite.service.simulator.requests.latest().length, asked);
    const declined = await run('unchecked', above());
    assert.deepEqual([declined.output, declined.msg.payload.outcome], ['not-done', 'declined']);
    assert.match(String(declined.msg.payload.result.errorMessage), /3209/);
    assert.equal(suite.service.bank.netMoved(reference), 1007);
  });

  test('a reversal after the batch was closed is refused with 3153; a refund gives the money back', async () => {
    const paid = await pay('10.09');
    const back = { payload: { ...paid.msg.payload } };
    assert.equal((await run('close', { payload: { batch: '123' } })).output, 'done');
    const late = await run('reversal', paid.msg);
    assert.deepEqual(truth(late), ['not-done', 'refused', 'no', 1009]);
    assert.equal(late.msg.payload.error?.code, '3153');
    assert.deepEqual(truth(await run('refund', back)), ['done', 'refunded', 'yes', 0]);
  });
});

/** Whether a text is in the files of a folder at this moment. */
function isOnDisk(folder: string, text: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? isOnDisk(path, text) : readFileSync(path).includes(text);
  });
}
