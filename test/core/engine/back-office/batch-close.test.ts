import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WATCH_GRACE, WATCH_LIMIT } from '../../../../src/core/base/timings.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

const TERMINAL = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };
const CLOSE_OPEN: BackOfficeOrder = { operation: 'batch/close', body: TERMINAL };

function close(batchNumber: string): BackOfficeOrder {
  return { operation: 'batch/close', body: { ...TERMINAL, batchNumber } };
}

/** A live merchant: its batches have numbers of their own. */
function live(): Payments {
  return payments({ simulator: { merchants: [{ demo: false, keys: [DEFAULT_KEY] }] } });
}

function loseAnswers({ simulator }: Payments, endpoint: string, times = 100): void {
  simulator.faults.arm({ kind: 'answer-lost', match: { endpoint }, times });
}

/** Whether the batch of that number is closed; undefined where there is none. */
async function closed({ engine: { client }, clock }: Payments, batchNumber: string): Promise<boolean | undefined> {
  const summary = client.batch.summary({ ...TERMINAL, batchNumber }).catch(() => undefined);
  await clock.advance(5000);
  const found = await summary;
  return found && found.batchStatus === 'CLOSED';
}

test('a close without a number whose answer was lost closes one batch alone, and reports the totals of that batch', async () => {
  const world = live();
  await world.after(world.sale());
  loseAnswers(world, 'POST /batch/close', 1);
  const submitted = world.backOffice(CLOSE_OPEN);
  await submitted;
  await world.clock.advance(1000);
  await world.after(world.sale({ amount: '500' }));
  const { outcome, batch, result, timeline } = await world.after(submitted);
  assert.deepEqual([outcome, batch, result.netAmount, result.transactionCount], ['completed', '1', '10.00', '1']);
  const { event, source } = timeline.at(-1) ?? {};
  assert.deepEqual([event, source], ['reconciled-done', 'batch']);
  await world.clock.runUntilIdle();
  assert.equal(await closed(world, '1'), true);
  assert.equal(await closed(world, '2'), false, 'nobody asked for that');
});

test('a close without a number that never arrived is reported as not done, and is not sent again', async () => {
  const world = live();
  await world.after(world.sale());
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /batch/close' }, times: 1 });
  const { outcome, retry } = await world.after(world.backOffice(CLOSE_OPEN));
  assert.deepEqual([outcome, retry], ['not-charged', 'safe']);
  assert.equal(await closed(world, '1'), false);
});

test('a process that another one may have taken over from does not ask for the summary, which counts against the rate', async () => {
  const world = live();
  await world.after(world.sale());
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /batch/close' }, times: 1 });
  await world.backOffice(CLOSE_OPEN);
  const asked = (): number => world.simulator.requests.latest().filter(({ path }) => path === '/batch/summary').length;
  // First for the number, and then for what became of it.
  assert.ok(await world.clock.runUntil(() => asked() > 1, 120_000));
  const before = asked();
  world.journal.mayAct = () => false;
  await world.clock.advance(60_000);
  assert.equal(asked(), before);
});

test('where nobody knows the number of the open batch, a lost answer is for a person to look at', async () => {
  const world = live();
  await world.after(world.sale());
  await world.engine.stop();
  const engine = world.createEngine({ journal: payments().journal });
  world.connect(engine);
  loseAnswers(world, 'POST /batch/close');
  await engine.submitBackOffice(CLOSE_OPEN, { node: 'sale-node', message: {} });
  const { exit, payload } = await world.untilTold(2);
  const { outcome, error, moneyMoved } = payload;
  assert.deepEqual(
    [exit, outcome, error?.code, moneyMoved],
    ['needs-attention', 'unknown', 'BATCH_CLOSE_UNKNOWN', 'no'],
    'a batch moves no money',
  );
  await world.clock.advance(WATCH_LIMIT + WATCH_GRACE);
  const end = (await world.untilTold(3)).payload;
  assert.deepEqual(
    [end.correction, end.error?.code, end.moneyMoved, end.final, end.retry],
    [true, 'WATCH_ENDED', 'no', true, 'never'],
    'a second close could still close the next batch',
  );
  await engine.stop();
});

test('the newest known batch proves nothing where it was closed before', async () => {
  const world = live();
  await world.after(world.sale());
  await world.after(world.backOffice(CLOSE_OPEN));
  loseAnswers(world, 'POST /batch/close');
  const { outcome, error } = await world.after(world.backOffice(CLOSE_OPEN));
  assert.deepEqual([outcome, error?.code], ['unknown', 'BATCH_CLOSE_UNKNOWN']);
});

test('a close by number is sent again after a lost answer, and reports the totals that were lost', async () => {
  const world = live();
  await world.after(world.sale());
  loseAnswers(world, 'POST /batch/close', 1);
  const { outcome, batch, result } = await world.after(world.backOffice(close('1')));
  assert.deepEqual([outcome, batch, result.netAmount, result.transactionCount], ['completed', '1', '10.00', '1']);
});

test('a batch that is closed for certain and whose totals cannot be had is reported as closed without them', async () => {
  const world = live();
  await world.after(world.sale());
  loseAnswers(world, 'POST /batch/close', 1);
  loseAnswers(world, 'POST /batch/summary');
  const { outcome, error, result } = await world.after(world.backOffice(close('1')));
  assert.deepEqual([outcome, error?.code, result], ['completed', 'TOTALS_UNKNOWN', {}]);
});
