import { afterNo, afterRefusal, afterStart, afterThrottling, afterWaiting } from '../bad-moments.js';
import type { Actor, Stage } from './actor.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Older than what the engine still begins: nobody can tell a younger backup from the present. */
const YOUNGEST_BACKUP = 16 * MINUTE;

/** The file system turns read-only. Somebody mends it after a while, or switches the machine off for good. */
export const readOnlyJournal: Actor = ({ world, draw, span }) => {
  const isForGood = draw.chance(0.4);
  world.clock.after(draw.int(0, span) + draw.scale(10, 10 * MINUTE), () => {
    world.acts.add('read-only-journal');
    world.note?.('the journal is read-only from now on');
    world.disk.break('journal read-only');
    world.clock.after(draw.scale(MINUTE, 2 * HOUR), () => {
      world.note?.(isForGood ? 'switched off for good' : 'the journal can be written again');
      if (isForGood) world.switchOff();
      else world.disk.break(undefined);
    });
  });
};

/** Somebody deletes the folder of the journal; the next process begins with an empty one. */
export const lostFolder: Actor = ({ world, draw, span }) => {
  world.clock.after(draw.int(0, span) + draw.scale(10, 10 * MINUTE), () => {
    world.acts.add('lost-folder');
    world.note?.('the folder of the journal is gone');
    world.disk.break('journal folder gone');
    world.replaceDiskAtStart(() => []);
    world.clock.after(draw.scale(2 * MINUTE, HOUR), () => world.crash());
  });
};

/** After a breakdown the journal is that of a backup. */
export const restoredBackup: Actor = (stage: Stage) => {
  const { world, play, draw, span } = stage;
  const takenAt = draw.int(0, span) + draw.scale(10, 5 * MINUTE);
  const take = (): void => {
    const backup = structuredClone([...world.disk.durable.values()]);
    world.clock.after(YOUNGEST_BACKUP + draw.scale(1000, 3 * HOUR), () => {
      world.acts.add('restored-backup');
      world.note?.(`the process dies, and a backup of ${backup.length} records is restored`);
      world.replaceDiskAtStart(() => backup);
      world.crash();
    });
  };
  // What follows an attempt that was refused for now is what a backup does not know of.
  if (play.retainsNothing || play.strikesAfter429) afterThrottling(world, draw, take);
  else if (play.backedUp === 'while-sent') world.clock.after(draw.scale(1, 5000), take);
  else if (play.backedUp === 'while-waiting') afterWaiting(world, draw, take);
  else if (play.backedUp === 'at-terminal') afterStart(world, draw, take);
  else if (play.backedUp === 'after-no') afterNo(world, draw, take);
  else if (draw.chance(0.5)) afterRefusal(world, draw, take);
  else world.clock.after(takenAt, take);
};
