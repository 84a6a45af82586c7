import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ROOT } from './node-red.js';

export interface VirtualTerminal {
  page: Page;
  /** What the console said is wrong, and what was thrown. */
  errors: string[];
}

/** Longer than anything here takes, a cold start of the browser on a busy machine included. */
const WAIT_MS = 40_000;

const BUILT = join(ROOT, 'dist/simulator/page');

/**
 * A page to open the virtual terminal on, in English. Where the server of the test runs from the sources, `fromBuild` takes
 * the page's script and style out of the build: the sources have none.
 */
export async function virtualTerminal(
  browser: Browser,
  { fromBuild = false, ...options }: BrowserContextOptions & { fromBuild?: boolean } = {},
): Promise<VirtualTerminal> {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 960 },
    reducedMotion: 'reduce',
    locale: 'en-US',
    ...options,
  });
  for (const file of fromBuild ? ['page.js', 'page.css'] : []) {
    const body = await readFile(join(BUILT, file), 'utf8');
    const contentType = file.endsWith('.js') ? 'text/javascript' : 'text/css';
    await context.route(`**/virtual-terminal/${file}`, (route) => route.fulfill({ body, contentType }));
  }
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
  });
  return { page, errors };
}
