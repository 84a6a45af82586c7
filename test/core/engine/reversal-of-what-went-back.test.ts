import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import type { Cardholder } from '../../../src/simulator/index.js';
import { type Payments, payments } from '../../harness/payments.js';

/** The policy of the flow takes a payment back, and another system has given something of it back before. */

const MINUTE = 60_000;
const TOO_MANY = { status: 429, body: '{"error":"Too many requests"}' };

/** So late that the approval comes after the deadline. */
const tapsAtTheLastMoment: Cardholder = ({ stage }) => {
  if (stage === 'awaiting-card') return { afterMs: 19_500, act: { do: 'present-card' } };
  return stage === 'remove-card' ? { afterMs: 100, act: { do: 'remove-card' } } : undefined;
};

/**
 * A late approval, and the service, which would reverse the whole of it whatever was refunded, lets no reversal through while
 * another system refunds it. @param refunded minor units @param status what becomes of questions about it from then on
 */
async function givenBackMeanwhile(refunded: number, status: 'answered' | 'lost' = 'answered'): Promise<Payments> {
  let isOpen = false;
  const world: Payments = payments({
    simulator: { cardholder: tapsAtTheLastMoment, variants: { reversalAfterRefund: 'done' } },
    engine: {
      send: (request: HttpRequest): Promise<HttpAnswer> => {
        if (request.url.endsWith('/reversal') && !isOpen) return Promise.resolve(TOO_MANY);
        if (request.url.includes('/status') && isOpen && status === 'lost') return new Promise(() => undefined);
        return world.simulator.send(request);
      },
    },
  });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  while (world.bank.charges().length === 0) await world.clock.advance(100);
  world.simulator.other.refund(world.bank.charges()[0]?.transactionId ?? '', refunded);
  isOpen = status === 'lost';
  await world.clock.advance(20_000);
  isOpen = true;
  return world;
}

const said = (world: Payments): string[] =>
  world.told.map(
    ({ exit, payload: { outcome, moneyMoved, error } }) =>
      `${exit}: ${outcome}, moved ${moneyMoved}${error ? `, ${error.code}` : ''}`,
  );

test('what another system has given back as a whole is not reversed as well', async () => {
  const world = await givenBackMeanwhile(1000);
  await world.clock.advance(10 * MINUTE);
  assert.equal(world.bank.netMoved(), 0);
  assert.match(said(world).at(-1) ?? '', /^not-done: cancelled, moved no/);
});

test('where another system has given back a part, a person decides about the rest', async () => {
  const world = await givenBackMeanwhile(400);
  await world.clock.advance(10 * MINUTE);
  assert.equal(world.bank.netMoved(), 600);
  assert.equal(said(world).at(-1), 'needs-attention: partial, moved partly, PARTLY_REFUNDED');
});

test('a reversal does not wait for a status service that does not answer', async () => {
  const world = await givenBackMeanwhile(400, 'lost');
  assert.equal(world.bank.entries().filter(({ kind }) => kind === 'reversal').length, 1);
  assert.equal(said(world).at(-1), 'not-done: cancelled, moved no, LATE_APPROVAL_REVERSED');
});
