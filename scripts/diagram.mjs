import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from './lib/run.mjs';

/**
 * `npm run diagram`: draws the life of a payment, as the table in `src/core/lifecycle/terminal/transitions.ts` says it, into the README.
 *   --check   writes nothing; exit code 1 where the README shows another one
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const README = join(ROOT, 'README.md');
const PLACE = /(?<=<!-- lifecycle -->\n).*?(?=<!-- \/lifecycle -->)/s;

const readme = readFileSync(README, 'utf8');
if (!PLACE.test(readme)) throw new Error('README.md: no place for the diagram');
const diagram = draw(await rows());
const drawn = readme.replace(PLACE, () => `\`\`\`mermaid\n${diagram}\n\`\`\`\n`);
if (values.check) process.exitCode = drawn === readme ? 0 : 1;
else writeFileSync(README, drawn);

/** One arrow between two phases, with the rows that lead from the one to the other, in the order of the table. */
function draw(table) {
  const arrows = new Map();
  for (const { id, from, to } of table) {
    for (const phase of from) {
      const arrow = `${phase} --> ${to}`;
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), id]);
    }
  }
  const start = ['[*] --> queued: the terminal is taken', '[*] --> sending: the terminal is free'];
  const lines = [...arrows].map(([arrow, ids]) => `${arrow}: ${ids.join('<br>')}`);
  return ['stateDiagram-v2', ...[...start, ...lines].map((line) => `    ${line}`)].join('\n');
}

async function rows() {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/core/lifecycle/terminal/transitions.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const [{ text }] = outputFiles;
  const { TRANSITIONS } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return TRANSITIONS;
}
