import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** A user who owns nothing. Only root can become it. */
export const NOBODY = 65_534;

/**
 * What a process of another user says about a folder.
 * @param file below `src`
 * @param call of something that the file exports, on `process.env.FOLDER`: a promise of what it says; an error says its message
 */
export function saidAsNobody(file: string, call: string, folder: string): string {
  const script = `const file = require('./src/${file}');
    process.setuid(${NOBODY});
    file.${call}.catch((error) => error.message).then((said) => process.stdout.write(said));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--require', 'tsx/cjs', '-e', script], {
    encoding: 'utf8',
    cwd: join(__dirname, '../..'),
    env: { ...process.env, FOLDER: folder },
  });
  return stdout + stderr;
}
