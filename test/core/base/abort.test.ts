import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Abort } from '../../../src/core/base/abort.js';

describe('a signal', () => {
  it('tells each listener once, in the order in which they came', () => {
    const abort = new Abort();
    const told: string[] = [];
    for (const name of ['first', 'second']) abort.signal.addEventListener('abort', () => told.push(name));
    assert.equal(abort.signal.aborted, false);
    abort.abort();
    abort.abort();
    assert.deepEqual(told, ['first', 'second']);
    assert.equal(abort.signal.aborted, true);
  });

  it('tells nobody who has gone, also where one leaves while it is told', () => {
    const abort = new Abort();
    const told: string[] = [];
    const gone = (): void => void told.push('gone');
    const leaves = (): void => {
      told.push('leaves');
      abort.signal.removeEventListener('abort', leaves);
    };
    abort.signal.addEventListener('abort', gone);
    abort.signal.addEventListener('abort', leaves);
    abort.signal.addEventListener('abort', () => told.push('stays'));
    abort.signal.removeEventListener('abort', gone);
    abort.abort();
    assert.deepEqual(told, ['leaves', 'stays']);
  });
});
