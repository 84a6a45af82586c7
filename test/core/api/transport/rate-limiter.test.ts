import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Place,
  type Priority,
  RateLimiter,
  RateLimiterRegistry,
} from '../../../../src/core/api/transport/rate-limiter.js';
import { WithdrawnError } from '../../../../src/core/base/errors.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';

/** A rate limiter that records its starts, in ms since the beginning. Every request is answered at once. */
function watched(perSecond = 2) {
  const clock = new VirtualClock(0);
  const throttle = new RateLimiter(clock, perSecond);
  const starts: { who: string; at: number }[] = [];
  const take = (who: string, signal?: AbortSignal): Promise<void> =>
    throttle.take({ signal }).then((place) => {
      starts.push({ who, at: clock.now() });
      answer(place);
    });
  return { clock, throttle, starts, take };
}

function answer(place: Place): void {
  place.leave();
  place.answered();
}

test('lets two start at once and the others in the order they came', async () => {
  const { clock, starts, take } = watched();
  const all = ['a', 'b', 'c', 'd', 'e'].map((who) => take(who));
  await clock.runUntilIdle();
  await Promise.all(all);
  assert.deepEqual(
    starts.map(({ who }) => who),
    ['a', 'b', 'c', 'd', 'e'],
  );
  assert.deepEqual(
    starts.map(({ at }) => at),
    [0, 0, 1010, 1010, 2020],
  );
});

test('lets what frees a terminal go first, then payments, and what only asks last', async () => {
  const { clock, throttle } = watched(1);
  const started: string[] = [];
  const take = (who: string, priority: Priority) =>
    throttle.take({ priority }).then((place) => {
      started.push(who);
      answer(place);
    });
  const all = [
    take('first come', 'read'),
    take('a question', 'read'),
    take('a refund', 'back-office'),
    take('a sale', 'terminal'),
    take('another sale', 'terminal'),
    take('a stop', 'urgent'),
    take('another refund', 'back-office'),
  ];
  await clock.runUntilIdle();
  await Promise.all(all);
  assert.deepEqual(started, [
    'first come',
    'a stop',
    'a sale',
    'another sale',
    'a refund',
    'another refund',
    'a question',
  ]);
});

test('a question that has waited for 10 s takes every second start, and none before what frees a terminal', async () => {
  const { clock, throttle } = watched(1);
  const started: string[] = [];
  const take = (who: string, priority: Priority) =>
    throttle.take({ priority }).then((place) => {
      started.push(who);
      answer(place);
    });
  const all = [take('first come', 'terminal')];
  for (const who of ['poll 1', 'poll 2', 'poll 3']) all.push(take(who, 'read'));
  for (let number = 1; number <= 13; number++) all.push(take(`sale ${number}`, 'terminal'));
  await clock.advance(9_900);
  assert.equal(started.filter((who) => who.startsWith('poll')).length, 0, 'money first');
  all.push(take('a stop', 'urgent'));
  const before = started.length;
  await clock.runUntilIdle();
  await Promise.all(all);
  assert.deepEqual(started.slice(before), [
    'a stop',
    'poll 1',
    'sale 10',
    'poll 2',
    'sale 11',
    'poll 3',
    'sale 12',
    'sale 13',
  ]);
});

test('never lets more start within any second than are allowed, whenever they come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 25 }),
      fc.integer({ min: 1, max: 4 }),
      async (gaps, perSecond) => {
        const { clock, starts, take } = watched(perSecond);
        const all: Promise<void>[] = [];
        for (const [place, gap] of gaps.entries()) {
          await clock.advance(gap);
          all.push(take(String(place)));
        }
        await clock.runUntilIdle();
        await Promise.all(all);
        assert.deepEqual(
          starts.map(({ who }) => Number(who)),
          gaps.map((_gap, place) => place),
        );
        for (const { at } of starts) {
          assert.ok(starts.filter((other) => other.at >= at && other.at < at + 1000).length <= perSecond);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('never lets more arrive within any second than are allowed, however long each is on its way', async () => {
  const trip = fc.record({
    gap: fc.integer({ min: 0, max: 700 }),
    there: fc.integer({ min: 0, max: 990 }),
    back: fc.integer({ min: 0, max: 3000 }),
    isAnswered: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(trip, { maxLength: 25 }), fc.integer({ min: 1, max: 4 }), async (trips, perSecond) => {
      const clock = new VirtualClock(0);
      const throttle = new RateLimiter(clock, perSecond);
      const arrivals: number[] = [];
      const send = async ({ there, back, isAnswered }: (typeof trips)[number]): Promise<void> => {
        const place = await throttle.take();
        place.leave();
        clock.after(there, () => arrivals.push(clock.now()));
        if (isAnswered) clock.after(there + back, () => place.answered());
      };
      const all: Promise<void>[] = [];
      for (const one of trips) {
        await clock.advance(one.gap);
        all.push(send(one));
      }
      await clock.runUntilIdle();
      await Promise.all(all);
      assert.equal(arrivals.length, trips.length);
      for (const at of arrivals)
        assert.ok(arrivals.filter((other) => other >= at && other < at + 1000).length <= perSecond);
    }),
    { numRuns: 40 },
  );
});

test('what is not sent after all takes no place of another', async () => {
  const { clock, throttle, starts, take } = watched(1);
  const place = await throttle.take();
  const next = take('next');
  await clock.advance(500);
  assert.deepEqual(starts, []);
  place.giveBack();
  await clock.advance(0);
  await next;
  assert.deepEqual(starts, [{ who: 'next', at: 500 }]);
});

test('a request that is never answered holds up the next one for two seconds at most', async () => {
  const { clock, throttle, starts, take } = watched(1);
  (await throttle.take()).leave();
  const next = take('next');
  await clock.runUntilIdle();
  await next;
  assert.deepEqual(starts, [{ who: 'next', at: 2010 }]);
});

test('forgets a withdrawn wait, and the next one moves up', async () => {
  const { clock, throttle, starts, take } = watched(1);
  const withdrawal = new AbortController();
  const first = take('first');
  const given = assert.rejects(take('given up', withdrawal.signal), WithdrawnError);
  const last = take('last');
  assert.equal(throttle.waiting, 2);
  withdrawal.abort();
  await given;
  await clock.runUntilIdle();
  await Promise.all([first, last]);
  assert.deepEqual(starts, [
    { who: 'first', at: 0 },
    { who: 'last', at: 1010 },
  ]);
});

test('leaves no timer behind when the last wait is withdrawn', async () => {
  const { clock, take } = watched(1);
  const withdrawal = new AbortController();
  await take('first');
  const given = assert.rejects(take('given up', withdrawal.signal), WithdrawnError);
  assert.equal(clock.pending, 1);
  withdrawal.abort();
  await given;
  assert.equal(clock.pending, 0);
});

test('refuses who comes withdrawn already, without using up a start', async () => {
  const { starts, take } = watched(1);
  await assert.rejects(take('late', AbortSignal.abort()), WithdrawnError);
  await take('next');
  assert.deepEqual(starts, [{ who: 'next', at: 0 }]);
});

test('lets nobody start during a pause', async () => {
  const { clock, throttle, starts, take } = watched();
  throttle.pause(1000);
  const waiting = take('a');
  await clock.runUntilIdle();
  await waiting;
  assert.deepEqual(starts, [{ who: 'a', at: 1000 }]);
});

test('tells who has to wait, and nobody else', async () => {
  const { clock, throttle } = watched(1);
  const told: string[] = [];
  answer(await throttle.take({ onQueued: () => told.push('first') }));
  const second = throttle.take({ onQueued: () => told.push('second') });
  assert.deepEqual(told, ['second']);
  await clock.runUntilIdle();
  await second;
});

test('can be withdrawn by whoever is told to wait', async () => {
  const { clock, throttle } = watched(1);
  const withdrawal = new AbortController();
  await throttle.take();
  const waiting = throttle.take({ signal: withdrawal.signal, onQueued: () => withdrawal.abort() });
  await assert.rejects(waiting, WithdrawnError);
  assert.equal(clock.pending, 0);
});

test('holds back nobody when it is switched off, except during a pause', async () => {
  const { clock, throttle, starts, take } = watched(0);
  await Promise.all(['a', 'b', 'c', 'd'].map((who) => take(who)));
  throttle.pause(500);
  const late = take('e');
  await clock.runUntilIdle();
  await late;
  assert.deepEqual(
    starts.map(({ at }) => at),
    [0, 0, 0, 0, 500],
  );
});

test('is one for everybody with the same key at the same address', () => {
  const registry = new RateLimiterRegistry(new VirtualClock());
  const of = (address: string, key: string, perSecond = 2) => registry.join(address, key, perSecond).rateLimiter;
  const one = of('https://a.example', 'key');
  assert.equal(of('https://A.example:443/', 'key'), one);
  assert.equal(of('https://a.example', 'key', 4), one, 'whatever limit its users take it for');
  assert.notEqual(of('https://a.example', 'other key'), one);
  assert.notEqual(of('https://b.example', 'key'), one);
});

test('lets through what the most careful of its users allows, for as long as that one uses it', async () => {
  const clock = new VirtualClock();
  const registry = new RateLimiterRegistry(clock);
  const join = (perSecond: number) => registry.join('https://a.example', 'key', perSecond);
  const { rateLimiter } = join(4);
  const startsAtOnce = async (): Promise<number> => {
    await clock.advance(10_000);
    let starts = 0;
    for (let asked = 0; asked < 5; asked++) {
      void rateLimiter.take().then((place) => {
        starts++;
        place.leave();
        place.answered();
      });
    }
    await clock.advance(1);
    return starts;
  };
  assert.equal(await startsAtOnce(), 4);
  const careful = join(1);
  assert.equal(await startsAtOnce(), 1);
  const careless = join(0);
  assert.equal(await startsAtOnce(), 1);
  careful.leave();
  assert.equal(await startsAtOnce(), 4);
  careless.leave();
  assert.equal(await startsAtOnce(), 4);
});
