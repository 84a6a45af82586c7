import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, it } from 'node:test';
import type { NodeAPI } from 'node-red';
import { type Changed, MOST_CHANGED } from '../../src/nodes/admin/contract.js';
import { publishOperations } from '../../src/nodes/admin/operations/live.js';
import { OpenEditors } from '../../src/nodes/admin/operations/open-editors.js';
import { publish } from '../../src/nodes/runtime/registry.js';
import { sampleRecord } from '../core/journal/sample-record.js';

it('nothing is kept for an editor that opens later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // Nothing else keeps the process alive while a batch is made.
  const alive = setInterval(() => undefined, 1000);
  t.after(() => clearInterval(alive));
  const events = new EventEmitter();
  const published = new EventEmitter();
  const comms = { publish: (topic: string, ids: Changed) => void published.emit(topic, ids) };
  const editors = publishOperations({ events, comms } as unknown as NodeAPI);
  const change = (operationId: string): void => publish(sampleRecord({ operationId }));
  const idsOfNext = async (): Promise<string[]> => {
    const next = once(published, 'payments/operations');
    t.mock.timers.tick(200);
    const [ids] = (await next) as [string[]];
    return ids;
  };

  change('before');
  events.emit('comms:connection-added', { session: 'a' });
  events.emit('comms:connection-added', { session: 'b' });
  change('open');
  assert.deepEqual(await idsOfNext(), ['open']);

  events.emit('comms:connection-removed', { session: 'a' });
  change('one is still open');
  assert.deepEqual(await idsOfNext(), ['one is still open']);

  change('not sent yet');
  events.emit('comms:connection-removed', { session: 'b' });
  change('nobody looks');
  // An editor that connected before this package was installed only asks for the list.
  editors.noteAsking();
  change('looked at again');
  assert.deepEqual(await idsOfNext(), ['looked at again']);
});

it('an operation that changes often is told once in a batch, and what is more than one holds comes with the next', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const events = new EventEmitter();
  const told: Changed[] = [];
  const comms = { publish: (_topic: string, ids: Changed) => void told.push(ids) };
  publishOperations({ events, comms } as unknown as NodeAPI);
  events.emit('comms:connection-added', { session: 'a' });
  const all = Array.from({ length: MOST_CHANGED + 1 }, (_, place) => `operation ${place}`);
  for (const operationId of [...all, ...all]) publish(sampleRecord({ operationId }));
  t.mock.timers.tick(200);
  assert.deepEqual(told, [all.slice(0, MOST_CHANGED)]);
  t.mock.timers.tick(200);
  assert.deepEqual(told.slice(1), [all.slice(MOST_CHANGED)]);
  events.emit('comms:connection-removed', { session: 'a' });
});

it('the last editor that closes in one Node-RED leaves the editors of another alone', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const alive = setInterval(() => undefined, 1000);
  t.after(() => clearInterval(alive));
  const before = new EventEmitter();
  publishOperations({ events: before, comms: { publish: () => undefined } } as unknown as NodeAPI).noteAsking();
  const events = new EventEmitter();
  const published = new EventEmitter();
  const comms = { publish: (topic: string, ids: Changed) => void published.emit(topic, ids) };
  publishOperations({ events, comms } as unknown as NodeAPI);
  events.emit('comms:connection-added', { session: 'a' });
  // The roll call of the one that was there before ends without an answer.
  t.mock.timers.tick(10_000);
  publish(sampleRecord({ operationId: 'open' }));
  const next = once(published, 'payments/operations');
  t.mock.timers.tick(200);
  assert.deepEqual(await next, [['open']]);
});

describe('who asks for operations without an open editor', () => {
  const ROLL_CALL = 'payments/editors';

  function watched(answer: (events: EventEmitter) => void) {
    const events = new EventEmitter();
    const seen: string[] = [];
    const publish = (topic: string): void => {
      seen.push(topic);
      answer(events);
    };
    const RED = { events, comms: { publish } } as unknown as NodeAPI;
    const editors = new OpenEditors(
      RED,
      () => seen.push('first'),
      () => seen.push('last'),
    );
    return { events, seen, editors };
  }

  it('is served, and nothing goes on once no editor has answered', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { seen, editors } = watched(() => undefined);
    editors.noteAsking();
    t.mock.timers.tick(6_000);
    editors.noteAsking();
    t.mock.timers.tick(6_000);
    assert.deepEqual(seen, ['first', ROLL_CALL, ROLL_CALL]);
    t.mock.timers.tick(6_000);
    assert.deepEqual(seen, ['first', ROLL_CALL, ROLL_CALL, 'last']);
  });

  it('may be an editor from before this package was installed: it answers, and is counted until it closes', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { events, seen, editors } = watched((from) => from.emit(`comms:message:${ROLL_CALL}`, { session: 'early' }));
    editors.noteAsking();
    t.mock.timers.tick(60_000);
    editors.noteAsking();
    assert.deepEqual(seen, ['first', ROLL_CALL]);
    events.emit('comms:connection-removed', { session: 'early' });
    assert.deepEqual(seen, ['first', ROLL_CALL, 'last']);
  });
});
