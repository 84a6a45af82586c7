import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeAPI } from 'node-red';
import { isCopied, leadsSomewhere } from '../../src/nodes/runtime/wires.js';

/** Nodes that are there, by id. What is disabled or deleted is not. */
const runtime = (there: Record<string, object>): NodeAPI =>
  ({ nodes: { getNode: (id: string) => there[id] ?? null } }) as unknown as NodeAPI;

const junction = (...wires: string[]): object => ({ type: 'junction', wires: [wires] });

test('a wire that goes on by a junction leads where that leads', () => {
  const RED = runtime({
    debug: { type: 'debug' },
    on: junction('gone', 'debug'),
    off: junction('gone'),
    bare: junction(),
  });
  assert.equal(leadsSomewhere(RED, ['on']), true);
  assert.equal(leadsSomewhere(RED, ['off']), false);
  assert.equal(leadsSomewhere(RED, ['bare']), false);
  assert.equal(leadsSomewhere(RED, ['off', 'debug']), true);
});

test('junctions in a circle lead nowhere', () => {
  const RED = runtime({ one: junction('other'), other: junction('one') });
  assert.equal(leadsSomewhere(RED, ['one']), false);
});

test('a message is copied for a second wire, and at a junction', () => {
  const RED = runtime({ debug: { type: 'debug' }, junction: junction('debug', 'debug') });
  const wires = [['debug'], ['debug', 'gone'], ['junction'], []];
  assert.deepEqual(
    wires.map((_, output) => isCopied(RED, { wires }, output)),
    [false, true, true, false],
  );
});
