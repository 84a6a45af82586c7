import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { ROOT, run } from '../lib/run.mjs';
import { renderForm } from './form-html.mjs';
import { buildPage } from './page.mjs';
import { buildSidebar } from './sidebar.mjs';

/**
 * Builds `dist/` from scratch in a temporary folder, so that a failed build leaves no partial result. Anything
 * missing or inconsistent fails the build.
 */

const DIST = join(ROOT, 'dist');
const NEXT = join(ROOT, `.dist-${process.pid}`);
const NODES = join(NEXT, 'nodes');
const LOCALES = join(ROOT, 'locales');
const SECTIONS = ['inputs', 'outputs', 'details', 'references'];
const require = createRequire(import.meta.url);
const manifest = require('../../package.json');

process.on('exit', () => rmSync(NEXT, { recursive: true, force: true }));
await compile();
await buildPage(join(NEXT, 'simulator/page'));
await buildSidebar(NODES);
const commonBehaviour = await bundleBehaviour('editor/form-dialog.ts');
const forms = loadForms();
for (const { name, form } of forms) write(join(NODES, `${name}.html`), renderForm(form, await behaviourOf(name)));
for (const language of readdirSync(LOCALES)) buildLocale(language, forms);
for (const { form } of forms) readFileSync(join(ROOT, 'icons', form.icon));
cpSync(join(ROOT, 'icons'), join(NODES, 'icons'), { recursive: true });
rmSync(DIST, { recursive: true, force: true });
renameSync(NEXT, DIST);

async function compile() {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  for (const project of ['tsconfig.build.json', 'tsconfig.types.json']) {
    await run(process.execPath, [tsc, '-p', join(ROOT, project), '--outDir', NEXT]);
  }
}

/** The script of a node's dialog: the common one, or the node's own editor file, which extends it. */
async function behaviourOf(name) {
  const own = `${name}.editor.ts`;
  return existsSync(join(ROOT, 'src/nodes', own)) ? bundleBehaviour(own) : commonBehaviour;
}

/** Bundles a script to be inlined: a separate file would be loaded too late. */
async function bundleBehaviour(entry) {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/nodes', entry)],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'paymentForms',
    target: 'es2019',
    minify: true,
  });
  return outputFiles[0].text.trim();
}

/** Loads the form of every node in package.json. */
function loadForms() {
  return Object.entries(manifest['node-red'].nodes).map(([type, file]) => {
    const name = basename(file, '.js');
    const { default: form } = require(join(NODES, `${name}.form.js`));
    if (form.type !== type) fail(`${name}.form.ts says ${form.type}, package.json ${type}`);
    if (file !== `dist/nodes/${name}.js`) fail(`${type}: expected dist/nodes/${name}.js, got ${file}`);
    readFileSync(join(NODES, `${name}.js`));
    return { name, form };
  });
}

function buildLocale(language, all) {
  const source = join(LOCALES, language);
  const target = join(NODES, 'locales', language);
  mkdirSync(target, { recursive: true });
  const common = readJson(join(source, 'common.json'));
  write(join(target, 'sidebar.json'), JSON.stringify(merge(common, readJson(join(source, 'sidebar.json')))));
  for (const { name, form } of all) {
    const own = readJson(join(source, `${name}.json`));
    const texts = merge(common, own);
    for (const key of keysOf(form)) if (textAt(texts, key) === undefined) fail(`${language}/${name}.json: no ${key}`);
    write(join(target, `${name}.json`), `${JSON.stringify(texts, null, 2)}\n`);
    const help = readFileSync(join(source, `${name}.md`), 'utf8');
    const sections = help.match(/^### \S.*$/gm) ?? [];
    if (sections.length !== SECTIONS.length)
      fail(`${language}/${name}.md: expected sections for ${SECTIONS.join(', ')}, got "${sections.join('", "')}"`);
    // The editor parses `: name (type) : text`, and takes the text from the last colon on.
    const crowded = help.match(/^:(?!( [^:\n]+){1,} : [^:\n]+$).*$/m)?.[0];
    if (crowded !== undefined) fail(`${language}/${name}.md: two colons are needed, no more, in "${crowded}"`);
    write(
      join(target, `${name}.html`),
      `<script type="text/markdown" data-help-name="${form.type}">\n${help.trim()}\n</script>\n`,
    );
  }
}

/** The keys of the texts that a form needs. */
function keysOf(form) {
  const fields = form.groups.flatMap((group) => group.fields);
  return [
    'title',
    ...form.groups.filter(({ open }) => !open).map(({ name }) => `group.${name}`),
    ...form.outputs.map((name) => `output.${name}`),
    ...fields.flatMap(({ name }) => [`label.${name}`, `hint.${name}`]),
    ...fields.flatMap(({ name, options = [] }) => options.map((option) => `option.${name}.${option}`)),
    ...fields
      .filter(({ name }) => name === form.calledBy)
      .flatMap(({ options }) => options.map((one) => `called.${one}`)),
  ];
}

function merge(base, over) {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    merged[key] = typeof value === 'object' ? merge(base[key] ?? {}, value) : value;
  }
  return merged;
}

function textAt(texts, key) {
  return key.split('.').reduce((branch, name) => branch?.[name], texts);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function write(path, text) {
  writeFileSync(path, text);
}

function fail(text) {
  console.error(`build: ${text}`);
  process.exit(1);
}
