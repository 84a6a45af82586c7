import { Draw } from '../draw.js';
import type { Actor, Stage } from './actor.js';
import { lostFolder, readOnlyJournal, restoredBackup } from './broken-journals.js';
import { burst } from './burst.js';
import { jumpingClock, unsetClock, wrongClock } from './clocks.js';
import { obeysRetry, twoAtOnce } from './flow-habits.js';
import { forger } from './forger.js';
import { freezer } from './freezer.js';
import { longDowntime } from './long-downtime.js';
import { ACTOR_NAMES, type ActorName } from './names.js';
import { otherTillBackOffice } from './other-till-back-office.js';
import { otherTillBatch } from './other-till-batch.js';
import { otherTillReversal } from './other-till-reversal.js';
import { otherTillSameAmount } from './other-till-same-amount.js';
import { otherTillSecondCharge } from './other-till-second-charge.js';
import { otherTillTerminal } from './other-till-terminal.js';
import { person, quickPerson } from './person.js';
import { sleeper } from './sleeper.js';

const ACTORS: Readonly<Record<ActorName, Actor>> = {
  'other-till-back-office': otherTillBackOffice,
  'other-till-same-amount': otherTillSameAmount,
  'other-till-terminal': otherTillTerminal,
  'other-till-batch': otherTillBatch,
  'two-at-once': twoAtOnce,
  'obeys-retry': obeysRetry,
  burst,
  // The messages carry them.
  'other-currencies': ({ world }) => world.acts.add('other-currencies'),
  'wrong-clock': wrongClock,
  'jumping-clock': jumpingClock,
  freezer,
  'long-downtime': longDowntime,
  'read-only-journal': readOnlyJournal,
  'lost-folder': lostFolder,
  'restored-backup': restoredBackup,
  forger,
  sleeper,
  person,
  'other-till-second-charge': otherTillSecondCharge,
  'other-till-reversal': otherTillReversal,
  'unset-clock': unsetClock,
  'quick-person': quickPerson,
};

/** Lets everybody in whom a seed has switched on. */
export function enter(stage: Omit<Stage, 'draw'>, seed: number, actors: ReadonlySet<ActorName>): void {
  for (const [place, name] of ACTOR_NAMES.entries()) {
    if (actors.has(name)) ACTORS[name]({ ...stage, draw: new Draw(seed, 100 + place) });
  }
}
