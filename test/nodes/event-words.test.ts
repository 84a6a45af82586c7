import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { LINES } from '../../src/core/lifecycle/back-office/state.js';
import { TRANSITIONS } from '../../src/core/lifecycle/terminal/lifecycle.js';
import { NOTES } from '../../src/core/lifecycle/terminal/timeline.js';
import type { Meaning } from '../../src/core/operation/result-meaning.js';
import { wordsOfEvent } from '../../src/nodes/editor/sidebar/detail/event-words.js';
import { ROOT } from '../harness/node-red.js';

/** Every line that a timeline can have is in the catalogue, which the other languages are kept in step with. */

const MEANINGS: Record<Meaning, true> = {
  approved: true,
  partial: true,
  declined: true,
  cancelled: true,
  returned: true,
  failed: true,
  undefined: true,
  'in-progress': true,
};

const EVERY_LINE = [
  ...TRANSITIONS.map(({ id }) => id),
  ...NOTES,
  ...LINES,
  'done before (3051)',
  ...Object.keys(MEANINGS).flatMap((meaning) => ['callback', 'poll'].map((via) => `terminal says ${meaning} (${via})`)),
  ...[...Object.keys(MEANINGS), 'none'].map((meaning) => `status service says ${meaning}`),
];

const CATALOGUE = JSON.parse(readFileSync(join(ROOT, 'locales/en-US/sidebar.json'), 'utf8'));
const { figure: FIGURES, ...EVENTS } = CATALOGUE.event as Record<string, string> & { figure: Record<string, string> };

it('says every line of a timeline in words, with what it speaks of', () => {
  for (const line of EVERY_LINE) {
    const { key, figures } = wordsOfEvent(line);
    const text = EVENTS[key];
    assert.ok(text !== undefined, `${line}: a text for ${key}`);
    const places = [...text.matchAll(/__(\w+)__/g)].map(([, name]) => name);
    assert.deepEqual(places, Object.keys(figures), line);
    for (const figure of Object.values(figures))
      assert.ok(FIGURES[figure] !== undefined, `${line}: a word for ${figure}`);
  }
});

it('has no words for what no timeline says', () => {
  const said = EVERY_LINE.map(wordsOfEvent);
  assert.deepEqual(Object.keys(EVENTS).sort(), [...new Set(said.map(({ key }) => key))].sort());
  const figures = said.flatMap((words) => Object.values(words.figures));
  assert.deepEqual(Object.keys(FIGURES).sort(), [...new Set(figures)].sort());
});
