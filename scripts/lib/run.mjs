import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, '../..');

/** Runs a command with this process's input and output. Ends this process with the command's exit code if it fails. */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  child.stdout?.pipe(process.stdout);
  child.stderr?.pipe(process.stderr);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(signal === null ? exitCode : 1));
  });
  if (code !== 0) process.exit(code);
}

/** Runs npm in a folder: the npm that started this process, or else the one on the path. */
export async function npm(args, cwd = ROOT) {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return run(process.execPath, [script, ...args], { cwd });
  return run('npm', args, { cwd, shell: process.platform === 'win32' });
}

/** Prints a script's own message between the output of its commands. */
export function say(text) {
  console.log(`\n== ${text}`);
}
