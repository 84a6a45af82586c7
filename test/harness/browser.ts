import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { ROOT } from './node-red.js';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Without a graphics card the browser would compute what one does, which takes three times as long as to paint without. */
const ARGS = ['--no-sandbox', '--disable-gpu'];

/** A headless Chromium: an installed one, else the one that comes as a package. */
export async function openBrowser(): Promise<Browser> {
  const installed = [process.env.CHROMIUM, ...INSTALLED].find((path) => path !== undefined && existsSync(path));
  return chromium.launch({ executablePath: installed ?? packaged(), args: ARGS });
}

function packaged(): string {
  const script = join(ROOT, 'scripts/lib/unpack-chromium.mjs');
  return execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim();
}
