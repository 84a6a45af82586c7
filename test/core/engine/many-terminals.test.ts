import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerLostError } from '../../../src/core/base/errors.js';
import type { HttpRequest } from '../../../src/core/base/seams.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import { sleep } from '../../../src/core/platform/sleep.js';
import { measureTerminals, type Setting, type Throughput } from '../../bench/scale/terminals.js';
import { payments } from '../../harness/payments.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

/** A hundred terminals on one key, which takes two requests a second. */

async function played(setting: Pick<Setting, 'callbacks' | 'countReads' | 'everyMs'>): Promise<Throughput> {
  const clock = new VirtualClock();
  const means = { clock, journal: new MemoryJournal(), seconds: 200, warmUpMs: 60_000 };
  return measureTerminals({ keys: 1, terminals: 100, cardMs: 15_000, ...setting }, means, (ms) => clock.advance(ms));
}

/** Of the requests that a key allows. */
const MOST = 2;

test('polls that do not count take no turn from a payment, and are not late, however many payments wait for theirs', async () => {
  const { salesPerSecond, lateSeconds } = await played({ callbacks: false, countReads: false, everyMs: 0 });
  assert.ok(salesPerSecond >= 0.9 * MOST, `${salesPerSecond} sales a second`);
  assert.ok(lateSeconds.median <= 5, `${lateSeconds.median} s late`);
});

test('where polls count, a key makes nearly a sale a second: no question is asked beside them', async () => {
  const { salesPerSecond, lateSeconds, requestsPerSale } = await played({
    callbacks: false,
    countReads: true,
    everyMs: 105_000,
  });
  assert.ok(salesPerSecond >= 0.9, `${salesPerSecond} sales a second`);
  assert.ok(lateSeconds.median <= 30, `${lateSeconds.median} s late`);
  assert.ok(requestsPerSale < 2.3, `${requestsPerSale} requests for a sale`);
});

test('where polls count and no terminal is ever without a customer, what was paid is heard of within 30 s', async () => {
  const { salesPerSecond, lateSeconds } = await played({ callbacks: false, countReads: true, everyMs: 0 });
  assert.ok(salesPerSecond >= 0.9, `${salesPerSecond} sales a second`);
  assert.ok(lateSeconds.p99 <= 30, `${lateSeconds.p99} s late`);
});

test('where polls count and results are called back, no poll is sent for a payment that has ended', async () => {
  const { salesPerSecond, requestsPerSale } = await played({ callbacks: true, countReads: true, everyMs: 0 });
  assert.ok(salesPerSecond >= 0.9 * MOST, `${salesPerSecond} sales a second`);
  assert.ok(requestsPerSale < 1.1, `${requestsPerSale} requests for a sale`);
});

test('polls that nobody answers do not keep the status service from being asked', async () => {
  let questions = 0;
  const world = payments({
    callbacks: false,
    engine: {
      send: async (request: HttpRequest) => {
        if (request.url.includes('/status')) questions++;
        if (!request.url.includes('/transaction-result/')) return world.simulator.send(request);
        await sleep(world.clock, request.timeoutMs, new AbortController().signal);
        throw new AnswerLostError('no answer');
      },
    },
  });
  await world.sale();
  await world.clock.advance(80_000);
  assert.ok(questions >= 4, `${questions} questions in 80 s`);
});
