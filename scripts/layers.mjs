import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/run.mjs';

/**
 * `npm run layers`: draws the layers of `src/core` and their imports into CONTRIBUTING.md. Fails on an import that runs
 * upwards.
 *   --check      writes nothing; exit code 1 if CONTRIBUTING.md shows another drawing
 *   --core DIR   reads another folder than `src/core`
 */
const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, core: { type: 'string', default: join(ROOT, 'src/core') } },
});

/** From top to bottom: each layer imports only layers below it. */
const LAYERS = 'engine runner delivery original journal lifecycle operation api platform base'.split(' ');
const GUIDE = join(ROOT, 'CONTRIBUTING.md');
const PLACE = /(?<=<!-- layers -->\n).*?(?=<!-- \/layers -->)/s;
const IMPORT = /\b(?:from|import\()\s*'(\.[^']+)'/g;

const arrows = arrowsOf(values.core);
const upward = arrows.filter(([from, to]) => LAYERS.indexOf(from) > LAYERS.indexOf(to));
if (upward.length > 0) throw new Error(`imports run upwards: ${upward.map((arrow) => arrow.join(' -> ')).join(', ')}`);

const guide = readFileSync(GUIDE, 'utf8');
if (!PLACE.test(guide)) throw new Error('CONTRIBUTING.md: no place for the layers');
const drawn = guide.replace(PLACE, () => `\`\`\`mermaid\n${draw(arrows)}\n\`\`\`\n`);
if (values.check) process.exitCode = drawn === guide ? 0 : 1;
else writeFileSync(GUIDE, drawn);

/** Pairs of a layer and a layer that it imports, in the order of the layers. */
function arrowsOf(core) {
  const found = new Set();
  for (const file of readdirSync(core, { recursive: true, encoding: 'utf8' })) {
    // `index.ts` is the way in from outside and belongs to no layer.
    if (!file.endsWith('.ts') || dirname(file) === '.') continue;
    const from = layerOf(file);
    for (const [, path] of readFileSync(join(core, file), 'utf8').matchAll(IMPORT)) {
      const to = layerOf(relative(core, join(core, dirname(file), path)));
      if (to !== from) found.add(`${from} ${to}`);
    }
  }
  return LAYERS.flatMap((from) => LAYERS.filter((to) => found.has(`${from} ${to}`)).map((to) => [from, to]));
}

function layerOf(file) {
  const [layer] = file.split(sep);
  if (!LAYERS.includes(layer)) throw new Error(`src/core/${file} is in no layer`);
  return layer;
}

/** An arrow is dotted where a chain of other arrows leads the same way: the solid ones alone show the order. */
function draw(pairs) {
  const below = new Map(LAYERS.map((layer) => [layer, pairs.filter(([from]) => from === layer).map(([, to]) => to)]));
  const reaches = (from, to) => below.get(from).some((next) => next === to || reaches(next, to));
  const lines = LAYERS.flatMap((layer) => {
    const isImplied = (to) => below.get(layer).some((next) => next !== to && reaches(next, to));
    const solid = below.get(layer).filter((to) => !isImplied(to));
    const dotted = below.get(layer).filter(isImplied);
    return [line(layer, '-->', solid), line(layer, '-.->', dotted)].filter((text) => text !== undefined);
  });
  return ['flowchart TD', ...lines].join('\n');
}

function line(layer, arrow, targets) {
  return targets.length === 0 ? undefined : `    ${layer} ${arrow} ${targets.join(' & ')}`;
}
