import { basename, join, resolve } from 'node:path';

export interface FolderInputs {
  /** What the user wrote into the journal's settings; empty or absent: nothing. Relative to `userDir`. */
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

const OWN_FOLDER = 'payment-journal';

/**
 * The folder of the embedded journal: the explicit setting, else the variable `CLOUD_TERMINAL_JOURNAL`, else a folder
 * of its own in what lasts. That is the user folder, except on FlowFuse, where only the working folder `storage` lasts.
 */
export function journalFolder({ setting, env, flowfuse, cwd, userDir }: FolderInputs): string {
  const chosen = setting || env.CLOUD_TERMINAL_JOURNAL;
  if (chosen) return resolve(userDir, chosen);
  return join(flowfuse && basename(cwd) === 'storage' ? cwd : userDir, OWN_FOLDER);
}
