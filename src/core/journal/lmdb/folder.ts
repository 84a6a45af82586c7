import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

export interface FolderInputs {
  /** The folder from the journal node, relative to `userDir`. Empty or absent: not set. */
  setting?: string;
  /** The environment variables of the process. */
  env: Readonly<Record<string, string | undefined>>;
  /** True when the host is FlowFuse. */
  flowfuse: boolean;
  /** The working folder of the process. */
  cwd: string;
  /** Node-RED's user folder. */
  userDir: string;
}

/** The journal in its folder. */
export const FILE = 'journal.mdb';

const OWN_FOLDER = 'payment-journal';

/**
 * The folder of the embedded journal: the explicit setting, else the variable `CLOUD_TERMINAL_JOURNAL`, else
 * `payment-journal` in persistent storage. That is the user folder, except on FlowFuse, which keeps only the working
 * folder `storage`.
 */
export function journalFolder({ setting, env, flowfuse, cwd, userDir }: FolderInputs): string {
  const chosen = setting || env.CLOUD_TERMINAL_JOURNAL;
  if (chosen) return resolve(userDir, chosen);
  return join(flowfuse && basename(cwd) === 'storage' ? cwd : userDir, OWN_FOLDER);
}

/** Tells one file from another at the same path; undefined where none can be seen. Takes some microseconds. */
export function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}
