import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerLostError } from '../../../src/core/base/errors.js';
import { secondLookFrom } from '../../../src/core/lifecycle/terminal/earlier-attempts.js';
import type { LifecycleEvent } from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { EarlierAttempts } from '../../../src/core/runner/terminal/earlier-attempts.js';

const gateway = (meaning: 'approved' | 'declined' | 'none', transactionId?: string): { event: LifecycleEvent } => ({
  event: { type: 'gateway', meaning, askedAt: 1000, transactionId },
});

/** The service does not answer about the lost ones. */
const answers =
  (shown: Record<string, { event: LifecycleEvent }>, asked: string[] = []) =>
  async (reference: string) => {
    asked.push(reference);
    const answer = shown[reference];
    if (answer === undefined) throw new AnswerLostError('no answer');
    return answer;
  };

const note = (): void => undefined;

test('what one attempt charged is not all there is while another one was not answered', async () => {
  const attempts = new EarlierAttempts();
  const asked: string[] = [];
  const first = answers({ b: gateway('approved', 'two') }, asked);
  assert.equal(await attempts.ask(['a', 'b'], 0, [], first, note), undefined);
  const both = answers({ a: gateway('approved', 'one') }, asked);
  assert.deepEqual(await attempts.ask(['a', 'b'], 0, [], both, note), {
    type: 'earlier',
    meaning: 'approved',
    askedAt: 1000,
    reference: 'a',
    transactionId: 'one',
    other: { reference: 'b', transactionId: 'two' },
    lastAskedAt: 1000,
    shown: ['a', 'b'],
    others: 'none',
  });
  assert.deepEqual(asked, ['a', 'b', 'a'], 'what was answered is not asked again');
});

test('two charges call for a person at once, whatever the third attempt did', async () => {
  const shown = { b: gateway('approved', 'two'), c: gateway('approved', 'three') };
  const event = await new EarlierAttempts().ask(['a', 'b', 'c'], 0, [], answers(shown), note);
  assert.deepEqual(event?.type === 'earlier' && event.other, { reference: 'c', transactionId: 'three' });
});

test('a record that shows is noted before the next attempt is asked about', async () => {
  const steps: unknown[] = [];
  const shown = answers({ a: gateway('approved', 'one'), b: gateway('none') });
  const ask = (reference: string) => {
    steps.push(reference);
    return shown(reference);
  };
  await new EarlierAttempts().ask(['a', 'b'], 0, [], ask, (event) => steps.push(event));
  assert.deepEqual(steps, ['a', { type: 'earlier', meaning: 'undefined', askedAt: 0, shown: ['a'] }, 'b']);
});

test('a record that has vanished does not say that its attempt charged nothing, and one that ends without a charge does', async () => {
  const vanished = await new EarlierAttempts().ask(
    ['a', 'b'],
    0,
    ['a'],
    answers({ a: gateway('none'), b: gateway('none') }),
    note,
  );
  assert.equal(vanished?.type === 'earlier' && vanished.meaning, 'undefined');
  const ended = await new EarlierAttempts().ask(['a'], 0, ['a'], answers({ a: gateway('declined') }), note);
  assert.equal(ended?.type === 'earlier' && ended.meaning, 'none');
});

test('a second look asks for each of them anew, also where the first one took long', async () => {
  const attempts = new EarlierAttempts();
  const asked: string[] = [];
  const at = (askedAt: number) => (shown: string) => {
    asked.push(shown);
    return Promise.resolve({
      event: { type: 'gateway', meaning: 'none', askedAt: askedAt + asked.length * 4000 } as const,
    });
  };
  const first = await attempts.ask(['a', 'b', 'c'], 0, [], at(1000), note);
  assert.ok(first?.type === 'earlier');
  assert.deepEqual([first.askedAt, first.lastAskedAt], [5000, 13_000]);
  await attempts.ask(['a', 'b', 'c'], secondLookFrom(first), [], at(20_000), note);
  assert.deepEqual(asked, ['a', 'b', 'c', 'a', 'b', 'c']);
});
