import assert from 'node:assert/strict';
import { it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import { Presence } from '../../../src/core/journal/postgres/lease/presence.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

it('a process that was counted as dead learns of that, even where the answer that says so is lost', async () => {
  const clock = new VirtualClock();
  let answers: (boolean | 'lost')[] = [];
  const renew = async (): Promise<boolean> => {
    const answer = answers.shift() ?? false;
    if (answer === 'lost') throw new JournalError('the answer was lost');
    return answer;
  };
  const presence = new Presence({ renew, end: async () => undefined }, clock, { id: 'one', host: 'till' });
  answers = [true];
  await presence.join();
  assert.equal(presence.generation, 1);
  answers = ['lost'];
  await clock.advance(20_000);
  assert.equal(presence.generation, 1, 'it was alive all the time');
  answers = Array.from({ length: 5 }, () => 'lost');
  await clock.advance(60_000);
  assert.equal(presence.generation, 2, 'one of those answers may have said that its row was new');
  await clock.advance(60_000);
  assert.equal(presence.generation, 2);
  await presence.leave();
});
