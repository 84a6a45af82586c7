import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Payments, payments } from '../../../harness/payments.js';

/**
 * A card that is read nearly two minutes after the request, at a terminal that answers every ping meanwhile, and takes every stop
 * without ending what it does.
 */

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const GONE = { status: 404, body: '{"error":{"statusCode":404,"name":"NotFoundError","message":"Not found"}}' };

interface Late {
  /** Until then the result is polled for as "still processing" (204), and from then on nobody knows it, ms. */
  pendingFor?: number;
  /** Nobody learns where to poll. */
  isAnswerLost?: boolean;
}

function lateCard({ pendingFor = DAY, isAnswerLost = false }: Late): Payments {
  const world: Payments = payments({
    callbacks: false,
    simulator: {
      cardholder: { tapAfterMs: 29 * SECOND },
      variants: { busyPing: 'answered', acceptedStop: 'too-late' },
    },
    engine: {
      send: async (request) => {
        const answer = await world.simulator.send(request);
        const isOver = world.clock.now() - begun > pendingFor;
        return isOver && request.url.includes('/transaction-result/') ? GONE : answer;
      },
    },
  });
  const begun = world.clock.now();
  world.simulator.faults.arm({ kind: 'card-read-late', ms: 85 * SECOND });
  if (isAnswerLost) world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  return world;
}

const CASES: [string, Late][] = [
  ['whose result is "still processing" until then', {}],
  ['whose result is "still processing" for 88 s, and then unknown,', { pendingFor: 88 * SECOND }],
  ['whose answer was lost', { isAnswerLost: true }],
];

for (const exclusiveTerminal of [false, true]) {
  const where = exclusiveTerminal ? 'on a terminal of its own' : 'on a shared terminal';
  for (const [which, late] of CASES) {
    test(`a payment ${where} ${which} is never told as not charged, and in the end as the bank has it`, async () => {
      const world = lateCard(late);
      const reference = await world.sale({}, { exclusiveTerminal });
      await world.clock.advance(3 * DAY);
      for (const { payload } of world.told) {
        assert.ok(payload.moneyMoved !== 'no' && payload.retry !== 'safe', JSON.stringify(payload));
      }
      const { outcome, moneyMoved, final } = world.told.at(-1)?.payload ?? {};
      assert.deepEqual([outcome, moneyMoved, final], ['approved', 'yes', true]);
      assert.equal(world.bank.netMoved(reference), 1000);
    });

    test(`a flow that tries again whenever it is told that this is safe makes one charge, ${where} ${which}`, async () => {
      const world = lateCard(late);
      await world.sale({}, { exclusiveTerminal });
      let heard = 0;
      const isSafe = () => world.told.slice(heard).some(({ payload }) => payload.retry === 'safe');
      while (await world.clock.runUntil(isSafe, 3 * DAY)) {
        heard = world.told.length;
        await world.sale({}, { exclusiveTerminal });
      }
      assert.equal(world.bank.charges().length, 1);
      assert.equal(world.bank.netMoved(), 1000);
    });
  }
}
