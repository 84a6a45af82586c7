import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../lib/run.mjs';

const PAGE = join(ROOT, 'src/simulator/page');
const TEXTS = join(PAGE, 'texts');

/** Builds the virtual terminal's page into a folder: script, style and the texts of each language. */
export async function buildPage(target) {
  await build({
    entryPoints: { page: join(PAGE, 'main.ts') },
    bundle: true,
    outdir: target,
    format: 'iife',
    target: 'es2022',
    minify: true,
    logLevel: 'warning',
  });
  await build({
    entryPoints: { page: join(PAGE, 'style/page.css') },
    bundle: true,
    outdir: target,
    target: ['chrome111', 'safari16.4', 'firefox115'],
    minify: true,
    logLevel: 'warning',
  });
  for (const file of ['index.html', 'icon.svg']) copyFileSync(join(PAGE, file), join(target, file));
  mkdirSync(join(target, 'texts'));
  for (const file of readdirSync(TEXTS)) {
    const texts = JSON.parse(readFileSync(join(TEXTS, file), 'utf8'));
    writeFileSync(join(target, 'texts', file), JSON.stringify(texts));
  }
}
