import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, any, not } from '../../../src/core/lifecycle/guard.js';
import { step, type Transition, tableOf } from '../../../src/core/lifecycle/step.js';
import { fixed } from '../../../src/core/lifecycle/verdict-source.js';
import type { DeliveryState } from '../../../src/core/operation/delivery-state.js';
import { NOT_CHARGED, UNKNOWN } from '../../../src/core/operation/verdict.js';

type Phase = 'open' | 'shut';
type Event = { type: 'push'; force: number } | { type: 'wait' };
type State = DeliveryState & { phase: Phase; pushes: number; shutAt?: number };
type Effect = 'save' | 'deliver';

const TRANSITIONS: readonly Transition<Phase, Event, State, Effect>[] = [
  {
    id: 'slammed',
    from: ['open'],
    on: ['push'],
    when: (_state, _now, event) => event.type === 'push' && event.force > 9,
    to: 'shut',
    effects: ['save', 'deliver'],
    verdict: fixed(UNKNOWN, 'recovery'),
    because: 'It is before the one that always fits.',
  },
  {
    id: 'closed-softly',
    from: ['open'],
    on: ['push'],
    to: 'shut',
    updates: (_state, now) => ({ shutAt: now }),
    parameters: ({ pushes }) => ({ code: String(pushes) }),
    because: 'Nothing else fits.',
  },
  {
    id: 'told-again',
    from: ['open', 'shut'],
    on: ['wait'],
    when: ({ pushes }) => pushes > 1,
    to: 'shut',
    verdict: ({ phase }, { type }) => ({
      verdict: phase === 'shut' && type === 'wait' ? NOT_CHARGED : UNKNOWN,
      source: 'poll',
    }),
    because: 'What is told rests on the next state, and on the event.',
  },
];

const learn = (state: State, { type }: Event): State =>
  type === 'push' ? { ...state, pushes: state.pushes + 1 } : state;

const take = (state: State, event: Event) => step(tableOf(TRANSITIONS), learn, state, event, 7);
const OPEN: State = { phase: 'open', pushes: 0 };

test('the first transition that fits decides, on what the event has taught', () => {
  const soft = take(OPEN, { type: 'push', force: 1 });
  assert.deepEqual(soft, {
    state: { phase: 'shut', pushes: 1, shutAt: 7 },
    effects: [],
    transition: { event: 'closed-softly', code: '1' },
  });
  const { state, effects, transition } = take(OPEN, { type: 'push', force: 10 });
  assert.deepEqual(
    [state.phase, state.shutAt, effects, transition],
    ['shut', undefined, ['save', 'deliver'], { event: 'slammed' }],
  );
  assert.deepEqual([state.reported, state.pending?.sequence, state.pending?.source], ['unknown', 1, 'recovery']);
});

test('an event that no transition fits only teaches', () => {
  const shut: State = { phase: 'shut', pushes: 0 };
  assert.deepEqual(take(shut, { type: 'push', force: 10 }), { state: { ...shut, pushes: 1 }, effects: [] });
  assert.deepEqual(take(OPEN, { type: 'wait' }), { state: OPEN, effects: [] });
});

test('a second verdict replaces the one that nobody has heard, or corrects it', () => {
  const told: State = { phase: 'open', pushes: 2, reported: 'unknown', deliveries: 1 };
  assert.deepEqual(take(told, { type: 'wait' }).state.pending, {
    verdict: NOT_CHARGED,
    source: 'poll',
    sequence: 2,
    correction: true,
  });
  const pending = { verdict: UNKNOWN, source: 'recovery', sequence: 1, correction: false } as const;
  assert.equal(take({ ...told, pending }, { type: 'wait' }).state.pending?.correction, false);
});

test('guards are put together: all of them, any of them, not that one', () => {
  const yes = () => true;
  const no = () => false;
  assert.deepEqual([all(yes, yes)({}, 0, {}), all(yes, no)({}, 0, {}), all()({}, 0, {})], [true, false, true]);
  assert.deepEqual([any(no, yes)({}, 0, {}), any(no, no)({}, 0, {}), any()({}, 0, {})], [true, false, false]);
  assert.deepEqual([not(yes)({}, 0, {}), not(no)({}, 0, {})], [false, true]);
});
