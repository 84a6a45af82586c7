import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from './lib/run.mjs';

/**
 * `npm run diagram`: draws the tables of transitions in `src/core/lifecycle` into `docs/lifecycle.md`.
 *   --check   writes nothing; exit code 1 where the page shows other ones
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const PAGE = join(ROOT, 'docs/lifecycle.md');

const DIAGRAMS = [
  {
    table: 'terminal',
    name: 'TERMINAL_TRANSITIONS',
    start: ['[*] --> queued: the terminal is taken', '[*] --> sending: the terminal is free'],
  },
  { table: 'back-office', name: 'BACK_OFFICE_TRANSITIONS', start: ['[*] --> preparing'] },
];

const page = readFileSync(PAGE, 'utf8');
let drawn = page;
for (const diagram of DIAGRAMS) drawn = await withDiagram(drawn, diagram);
if (values.check) process.exitCode = drawn === page ? 0 : 1;
else writeFileSync(PAGE, drawn);

/** The page with a diagram between its marks, and below it why each transition is there. */
async function withDiagram(text, { table, name, start }) {
  const place = new RegExp(`(?<=<!-- ${table} -->\n).*?(?=<!-- /${table} -->)`, 's');
  if (!place.test(text)) throw new Error(`docs/lifecycle.md: no place for the diagram of ${table}`);
  const transitions = await read(table, name);
  return text.replace(place, () => `\`\`\`mermaid\n${draw(transitions, start)}\n\`\`\`\n\n${explain(transitions)}\n`);
}

/** One arrow between two phases, with the transitions that lead from the one to the other, in the order of the table. */
function draw(transitions, start) {
  const arrows = new Map();
  for (const { id, from, to } of transitions) {
    for (const phase of from) {
      const arrow = `${phase} --> ${to}`;
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), id]);
    }
  }
  const lines = [...arrows].map(([arrow, ids]) => `${arrow}: ${ids.join('<br>')}`);
  return ['stateDiagram-v2', ...[...start, ...lines].map((line) => `    ${line}`)].join('\n');
}

function explain(transitions) {
  const rows = new Set(transitions.map(({ id, because }) => `| \`${id}\` | ${because} |`));
  return ['| transition | because |', '|---|---|', ...rows].join('\n');
}

async function read(table, name) {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, `src/core/lifecycle/${table}/transitions.ts`)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const [{ text }] = outputFiles;
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`))[name];
}
