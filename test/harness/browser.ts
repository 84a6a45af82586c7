import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A headless Chromium: an installed one, else the one that comes as a package. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM, ...INSTALLED].find((path) => path !== undefined && existsSync(path));
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const { default: packaged } = await import('@sparticuz/chromium');
  return chromium.launch({ executablePath: await packaged.executablePath(), args: packaged.args.filter(isWanted) });
}

/** Made for small machines that show one page each: there the browser ends with its page, and is less strict than others. */
function isWanted(arg: string): boolean {
  return !['--single-process', '--disable-web-security', '--allow-running-insecure-content'].includes(arg);
}
