import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { NodeAPI } from 'node-red';
import {
  areFlowsStopped,
  areFlowsUp,
  beforeFlowsStarted,
  onDeploy,
  onFlowsStarted,
  onFlowsStopped,
} from '../../src/nodes/runtime/flows-started.js';

/**
 * Node-RED stops the nodes of a deploy, cleans its context stores, and starts nothing where that fails. What a deploy of
 * modified nodes left running takes messages all the same.
 */

/** A Node-RED that has started. */
function nodeRed() {
  const events = new EventEmitter();
  const logged: string[] = [];
  const log = { error: (text: string) => logged.push(text) };
  const settings = { available: () => true, get: () => 'stop' };
  const RED = { events, log, settings } as unknown as NodeAPI;
  const ends: boolean[] = [];
  onDeploy(RED, { begins: () => undefined, ends: () => ends.push(areFlowsUp(RED)) });
  events.emit('flows:started', {});
  const stop = (type: string): void => {
    events.emit('flows:stopping', { type });
    events.emit('flows:stopped', { type });
  };
  return { RED, events, logged, ends, stop };
}

test('nodes that a deploy left running get their results half a minute after a start that did not come, and the log says so', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { RED, logged, ends, stop } = nodeRed();
  stop('nodes');
  t.mock.timers.tick(29_999);
  assert.deepEqual([ends.length, areFlowsUp(RED)], [1, false]);
  t.mock.timers.tick(1);
  assert.deepEqual([ends, areFlowsUp(RED)], [[true, true], true]);
  assert.match(logged.join(), /did not start them again/);
});

test('a start that comes late holds the results again until it ends', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { RED, events, ends, stop } = nodeRed();
  stop('flows');
  t.mock.timers.tick(60_000);
  events.emit('flows:starting', { diff: 1 });
  assert.equal(areFlowsUp(RED), false);
  events.emit('flows:started', { diff: 1 });
  assert.deepEqual(ends, [true, true, true]);
});

test('a start that comes in time, however long it takes, is not told as missing; nor are flows that somebody stops', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { RED, events, logged, ends, stop } = nodeRed();
  stop('nodes');
  events.emit('flows:starting', { diff: 1 });
  t.mock.timers.tick(120_000);
  assert.equal(areFlowsUp(RED), false);
  events.emit('flows:started', { diff: 1 });
  stop('full');
  t.mock.timers.tick(120_000);
  assert.deepEqual([areFlowsUp(RED), ends.length, logged.length], [false, 2, 0]);
});

/** Node-RED says what it finds in the repository of its project at any time. */
const CONFLICT = { id: 'runtime-state', payload: { type: 'warning', error: 'git_merge_conflict', project: 'till' } };

test('a conflict in its project that Node-RED finds while a deploy starts its nodes does not stop the flows', () => {
  const { RED, events, stop } = nodeRed();
  let stops = 0;
  onFlowsStopped(RED, () => stops++);
  stop('full');
  events.emit('flows:starting', { diff: 1 });
  events.emit('runtime-event', CONFLICT);
  events.emit('flows:started', { diff: 1 });
  assert.deepEqual([stops, areFlowsStopped(RED), areFlowsUp(RED)], [0, false, true]);
});

const KEY = { type: 'warning', error: 'credentials_load_failed' };

for (const [what, payload, isStopped] of [
  ['the credentials of its project', { ...KEY, project: undefined }, true],
  ['the credentials, and has no project', KEY, false],
  ['the flows, and does not know why', { type: 'warning', error: undefined, project: undefined }, true],
] as const) {
  test(`the flows ${isStopped ? 'stay stopped' : 'start'} where Node-RED cannot load ${what}`, () => {
    const { RED, events, stop } = nodeRed();
    stop('full');
    events.emit('runtime-event', { id: 'runtime-state', payload });
    assert.equal(areFlowsStopped(RED), isStopped);
  });
}

test('flows that somebody stopped stay stopped where Node-RED refuses the deploy that follows', () => {
  const { RED, events, stop } = nodeRed();
  stop('full');
  events.emit('runtime-event', { id: 'runtime-state', payload: { state: 'stop' } });
  assert.deepEqual([areFlowsStopped(RED), areFlowsUp(RED)], [true, false]);
  events.emit('runtime-event', { id: 'runtime-state', payload: { state: 'stop', error: 'missing-types' } });
  assert.deepEqual([areFlowsStopped(RED), areFlowsUp(RED)], [true, false]);
});

test('what one node throws when the flows have started keeps no other from its results', () => {
  const { RED, events, logged, ends, stop } = nodeRed();
  const fails = (): never => {
    throw new Error('a plugin');
  };
  beforeFlowsStarted(RED, fails);
  onFlowsStarted(RED, fails);
  stop('full');
  events.emit('flows:starting', { diff: 1 });
  events.emit('flows:started', { diff: 1 });
  assert.equal(ends.length, 2);
  assert.deepEqual(logged, ['cloud-terminal: Error: a plugin', 'cloud-terminal: Error: a plugin']);
});
