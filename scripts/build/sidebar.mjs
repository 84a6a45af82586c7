import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../lib/run.mjs';

/** Builds the sidebar into one html file: a separate script would be loaded too late. */
export async function buildSidebar(folder) {
  const [script, style] = await Promise.all(['main.ts', 'style.css'].map(bundled));
  const html = `<style>\n${style}\n</style>\n<script type="text/javascript">\n${script}\n</script>\n`;
  writeFileSync(join(folder, 'sidebar.html'), html);
}

async function bundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/nodes/editor/sidebar', entry)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    minify: true,
  });
  return outputFiles[0].text.trim();
}
