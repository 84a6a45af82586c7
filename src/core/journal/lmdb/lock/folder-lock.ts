import { Heartbeat } from './heartbeat.js';
import { lockByKernel } from './kernel-lock.js';
import { isOnOneMachine } from './local-disk.js';

/**
 * Keeps a second process out of a journal's folder: two would both resume the open operations, and charge them twice. The
 * kernel keeps out processes of the same machine. Where another machine may see the folder too, or the kernel cannot help, a
 * heartbeat in the folder does.
 */
export interface FolderLock {
  /** @throws JournalError where the folder may be another's by now */
  mustHold(): void;
  release(): Promise<void>;
}

/** @throws JournalError where another process has the folder */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const kernel = await lockByKernel(folder);
  try {
    const needsBeat = kernel === undefined || !(await isOnOneMachine(folder));
    const heartbeat = needsBeat ? await Heartbeat.start(folder, kernel !== undefined) : undefined;
    return {
      mustHold: () => heartbeat?.mustHold(),
      async release() {
        await heartbeat?.stop();
        await kernel?.release();
      },
    };
  } catch (error) {
    await kernel?.release();
    throw error;
  }
}
