import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { it } from 'node:test';
import type { NodeAPI } from 'node-red';
import type { Summary } from '../../src/nodes/admin/contract.js';
import { publishOperations } from '../../src/nodes/admin/operations/live.js';
import type { EnvironmentRuntime } from '../../src/nodes/runtime/environment-runtime.js';
import { publish } from '../../src/nodes/runtime/registry.js';
import { sampleRecord } from '../core/journal/sample-record.js';

it('nothing is kept for an editor that opens later', async (t) => {
  // The timer of a batch keeps no process alive.
  const alive = setInterval(() => undefined, 1000);
  t.after(() => clearInterval(alive));
  const events = new EventEmitter();
  const published = new EventEmitter();
  const comms = { publish: (_topic: string, summaries: Summary[]) => void published.emit('summaries', summaries) };
  const editors = publishOperations({ events, comms } as unknown as NodeAPI);
  const change = (operationId: string): void => publish({} as EnvironmentRuntime, sampleRecord({ operationId }));
  const idsOfNext = async (): Promise<string[]> => {
    const [summaries] = (await once(published, 'summaries')) as [Summary[]];
    return summaries.map(({ id }) => id);
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
  editors.noteOne();
  change('looked at again');
  assert.deepEqual(await idsOfNext(), ['looked at again']);
});
