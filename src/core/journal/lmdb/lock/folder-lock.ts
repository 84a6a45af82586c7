import { Heartbeat } from './heartbeat.js';
import { lockByKernel } from './kernel-lock.js';
import { type Machine, thisMachine } from './machine.js';

/**
 * Keeps a second process out of a journal's folder: two would both resume the open operations, and charge them twice. The
 * kernel keeps out processes of the same machine. A heartbeat in the folder keeps out those of others. It beats on a local
 * disk too: a machine cannot see whether others reach its disk, by a share of it or from a guest.
 */
export interface FolderLock {
  /** @throws JournalError where the folder may be another's by now */
  mustHold(): void;
  /** Reports what a person has to know of the lock, from now on. */
  hear(report: (notice: string) => void): void;
  release(): Promise<void>;
}

/** @throws JournalError where another process has the folder */
export async function lockFolder(folder: string, machine: Machine = thisMachine): Promise<FolderLock> {
  const kernel = await lockByKernel(folder);
  try {
    const heartbeat = await Heartbeat.start(folder, () => kernel?.isHeld() === true, machine);
    await kernel?.removeDead();
    return {
      mustHold: () => heartbeat.mustHold(),
      hear: (report) => heartbeat.hear(report),
      async release() {
        try {
          await heartbeat.stop();
        } finally {
          await kernel?.release();
        }
      },
    };
  } catch (error) {
    await kernel?.release();
    throw error;
  }
}
