import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { beginBackOffice } from '../../src/core/lifecycle/back-office/state.js';
import { BACK_OFFICE_TRANSITIONS } from '../../src/core/lifecycle/back-office/transitions.js';
import type { LifecycleEvent } from '../../src/core/lifecycle/terminal/event.js';
import { begin } from '../../src/core/lifecycle/terminal/state.js';
import { LEARNED, learned } from '../../src/core/lifecycle/terminal/timeline.js';
import { TERMINAL_TRANSITIONS } from '../../src/core/lifecycle/terminal/transitions.js';
import type { TimelineNote } from '../../src/core/operation/event.js';
import type { Meaning } from '../../src/core/operation/result-meaning.js';
import { REASON_NAMES } from '../../src/nodes/action/reasons.js';
import { ROOT } from '../harness/node-red.js';

/** Every code that a timeline can have is in the catalogue, which the other languages are kept in step with. */

const MEANINGS = Object.keys({
  approved: true,
  partial: true,
  declined: true,
  cancelled: true,
  returned: true,
  failed: true,
  undefined: true,
  'in-progress': true,
} satisfies Record<Meaning, true>) as Meaning[];

const LEARNED_NOTES = eventsThatTeach().flatMap((event) => {
  const policies = { busyWaitMs: 0, lateApproval: 'report', partialApproval: 'accept' } as const;
  return learned({ ...begin('sale', policies, true, 0), phase: 'waiting' }, event) ?? [];
});

const NOTES: readonly TimelineNote[] = [
  { event: 'recorded' },
  { event: 'no-answer', why: 'no answer within 20000 ms' },
  ...['handled', 'handled-withdrawn'].map((event) => ({ event, by: 'ann' })),
  { event: 'unreadable' },
  ...LEARNED_NOTES,
  ...TERMINAL_TRANSITIONS.map(({ id }) => ({ event: id })),
  ...BACK_OFFICE_TRANSITIONS.flatMap(({ id, parameters }) =>
    states().map((one) => ({ event: id, ...parameters?.(one) })),
  ),
];

const { event: TEXTS, 'event-value': VALUES } = JSON.parse(
  readFileSync(join(ROOT, 'locales/en-US/sidebar.json'), 'utf8'),
) as Record<'event' | 'event-value', Record<string, string>>;

it('knows all that an event can teach', () => {
  assert.deepEqual([...new Set(LEARNED_NOTES.map(({ event }) => event))].sort(), [...LEARNED].sort());
});

it('has a text for every code, with a place for each of its parameters', () => {
  for (const { event, ...parameters } of NOTES) {
    const places = [...(TEXTS[event] ?? assert.fail(`a text for ${event}`)).matchAll(/__(\w+)__/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(places, Object.keys(parameters), event);
  }
});

it('has words for every reason that a status may name, and for no other', () => {
  const { reason } = JSON.parse(readFileSync(join(ROOT, 'locales/en-US/common.json'), 'utf8')) as {
    reason: Record<string, string>;
  };
  assert.deepEqual(Object.keys(reason).sort(), [...REASON_NAMES].sort());
});

it('has no text for what no timeline says', () => {
  assert.deepEqual(Object.keys(TEXTS).sort(), [...new Set(NOTES.map(({ event }) => event))].sort());
});

it('has a word for every value but the codes of the service', () => {
  const values = NOTES.flatMap(({ meaning = [], via = [], source = [] }) => [meaning, via, source].flat());
  assert.deepEqual(Object.keys(VALUES).sort(), [...new Set(values)].sort());
});

function eventsThatTeach(): LifecycleEvent[] {
  return [
    ...MEANINGS.flatMap((meaning) =>
      (['callback', 'poll'] as const).map((via) => ({ type: 'terminal', meaning, via }) as const),
    ),
    ...[...MEANINGS, 'none' as const].map((meaning) => ({ type: 'gateway', meaning, askedAt: 0 }) as const),
    { type: 'idle', askedAt: 0 },
    { type: 'stop-not-possible' },
    { type: 'cancel' },
    { type: 'restored' },
  ];
}

/** One whose chain is asked for, and one whose batch is. */
function states() {
  const refusal = { code: '3051', name: 'Reversed', message: 'already reversed' };
  const chain = { ...beginBackOffice('batch/close', { traceable: true }, 0), refusal };
  return [chain, { ...chain, baseline: { at: 0, ids: [], batch: '7' } }];
}
