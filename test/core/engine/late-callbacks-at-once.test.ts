import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackSecret, callbackToken } from '../../../src/core/base/callback.js';
import type { HttpAnswer } from '../../../src/core/base/seams.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { type Payments, payments } from '../../harness/payments.js';

const BUSY: HttpAnswer = { status: 400, body: JSON.stringify({ error: 1001, message: 'Device busy' }) };
const late = ({ noticed }: Pick<Payments, 'noticed'>) =>
  noticed
    .filter(({ late: isLate }) => isLate)
    .map(({ delivery: { exit, payload } }) => [exit, payload.outcome, payload.error?.code]);

async function approvedTwice(status = 200) {
  const references: string[] = [];
  const reversed: string[] = [];
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale' && references.push(body.transactionReference) === 1) return BUSY;
        if (!request.url.endsWith('/reversal')) return world.simulator.send(request);
        reversed.push(body.originalGuid);
        return { status, body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'reversal' }) };
      },
    },
  });
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.untilTold();
  const [first = ''] = references;
  const approval = { transactionReference: first, transactionID: 'first', finStatus: 'AUTHORISED', totalAmount: 1000 };
  const call = () =>
    world.engine.callback(first, callbackToken(callbackSecret(DEFAULT_KEY), first), JSON.stringify(approval));
  return { world, reversed, call };
}

test('the same callback twice at the same moment takes a second charge back once, with one alarm', async () => {
  const { world, reversed, call } = await approvedTwice();
  assert.deepEqual(await Promise.all([call(), call()]), ['taken', 'taken']);
  await world.clock.advance(600_000);
  assert.deepEqual([reversed, late(world).length], [['first'], 1]);
});

test('a contradiction that comes twice at the same moment is one alarm', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  const id = await world.sale();
  const token = callbackToken(callbackSecret(DEFAULT_KEY), id);
  const call = (finStatus: string) =>
    world.engine.callback(
      id,
      token,
      JSON.stringify({ transactionReference: id, transactionID: 'x', finStatus, totalAmount: 1000 }),
    );
  await world.clock.advance(1000);
  await call('DECLINED');
  await world.untilTold();
  await world.clock.advance(60_000);
  await Promise.all([call('AUTHORISED'), call('AUTHORISED')]);
  await world.clock.advance(60_000);
  assert.equal(late(world).filter(([, , code]) => code === 'CONTRADICTED').length, 1);
});

test('an engine that has stopped takes nothing back any more', async () => {
  const { world, reversed, call } = await approvedTwice(500);
  await Promise.all([call(), call()]);
  const stopped = world.engine.stop();
  await world.clock.advance(11_000);
  await stopped;
  const before = reversed.length;
  await world.clock.advance(600_000);
  assert.equal(reversed.length, before);
  assert.equal(world.clock.pending, 0, 'no timer is left');
});
