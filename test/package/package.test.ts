import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import type { Progress } from '../../src/core/delivery/listener.js';
import { OUTCOMES } from '../../src/core/operation/outcome.js';
import { type Form, fieldsOf } from '../../src/nodes/form/form.js';
import { ROOT } from '../harness/node-red.js';

const NODES = join(ROOT, 'dist/nodes');
const SETS: [type: string, file: string][] = Object.entries(readJson('package.json')['node-red'].nodes);
const LANGUAGES = readdirSync(join(ROOT, 'locales'));

/** Texts that are put together at run time: the types see to it that none is forgotten here. */
const STAGES: Record<Progress['stage'], true> = {
  queued: true,
  sending: true,
  'terminal-busy': true,
  waiting: true,
  partial: true,
  checking: true,
  stopping: true,
  'cancel-not-possible': true,
  reversing: true,
  watching: true,
  unwritten: true,
};
interface Definition {
  category: string;
  defaults: Record<string, { value: unknown; type?: string }>;
  credentials?: Record<string, unknown>;
  inputs?: number;
  outputs?: number;
}

for (const [type, file] of SETS) {
  const name = basename(file, '.js');
  const html = read(`dist/nodes/${name}.html`);
  const form: Form = require(join(NODES, `${name}.form.js`)).default;

  describe(type, () => {
    test('is one type to the runtime, the editor and package.json', () => {
      assert.equal(form.type, type);
      assert.deepEqual(runtimeTypes(file), [type]);
      assert.deepEqual(
        [...html.matchAll(/RED\.nodes\.registerType\('([^']+)', \{/g)].map(([, found]) => found),
        [type],
      );
      assert.match(html, new RegExp(`data-template-name="${type}"`));
    });

    test('has the properties and credentials of its form in the editor', () => {
      const { defaults, credentials, inputs, outputs } = editorDefinition(html);
      const fields = fieldsOf(form);
      const names = fields.flatMap(({ kind, name: field }) => {
        if (kind === 'password') return [];
        return kind === 'typed' ? [field, `${field}Type`] : [field];
      });
      const counted = form.extraOutput === undefined ? [] : ['outputs'];
      assert.deepEqual(Object.keys(defaults).sort(), ['name', ...names, ...counted].sort());
      const secrets = fields
        .filter(({ kind }) => kind === 'password')
        .map((field) => [field.name, { type: 'password' }]);
      assert.equal(JSON.stringify(credentials ?? {}), JSON.stringify(Object.fromEntries(secrets)));
      assert.deepEqual({ ...runtimeCredentials(file) }, Object.fromEntries(secrets));
      if (form.category !== 'config') assert.deepEqual([inputs, outputs], [form.inputs, form.outputs.length]);
    });

    test('loads at once: no script of its own, a definition that tools can read', () => {
      assert.doesNotMatch(html, /<script[^>]*\ssrc/);
      assert.doesNotMatch(html.slice(html.indexOf('RED.nodes.registerType')), /\.\.\./);
    });

    test('keeps a label for every control', () => {
      const controls = [...html.matchAll(/<(?:input|select)(?! type="hidden")[^>]* id="([^"]+)"/g)].map(([, id]) => id);
      const labels = [...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id);
      assert.deepEqual(
        controls.filter((id) => !id?.endsWith('Type') || id === 'node-config-input-terminalType'),
        labels,
      );
    });

    for (const language of LANGUAGES) {
      test(`has all its texts in ${language}`, () => {
        const texts = readJson(`dist/nodes/locales/${language}/${name}.json`);
        const used = [...html.matchAll(/data-i18n="(?:\[\w+\])?([^"]+)"/g)].map(([, key]) => String(key));
        for (const key of used.filter((one) => !one.startsWith('node-red:')))
          assert.equal(typeof at(texts, key), 'string', key);
      });

      test(`has help in ${language}`, () => {
        const help = read(`dist/nodes/locales/${language}/${name}.html`);
        assert.match(help, new RegExp(`^<script type="text/markdown" data-help-name="${type}">\\n\\S`));
      });
    }

    if (form.category !== 'config') {
      test('has its own icon, white on nothing, and an example', () => {
        assert.match(read(`dist/nodes/icons/${form.icon}`), /^<svg [^>]*width="40" height="60"[^>]*stroke="#fff"/);
        const nodes = readJson(`examples/${type}.json`) as { type: string }[];
        assert.ok(nodes.some((node) => node.type === type));
        assert.ok(nodes.some((node) => node.type === 'comment'));
      });
    }
  });
}

describe('the package', () => {
  test('has a node for every form', () => {
    const forms = readdirSync(join(ROOT, 'src/nodes')).filter((file) => file.endsWith('.form.ts'));
    assert.deepEqual(
      forms.map((file) => `dist/nodes/${file.replace('.form.ts', '.js')}`).sort(),
      SETS.map(([, file]) => file).sort(),
    );
  });

  test('has examples of nodes that have every property of their forms, and no other', () => {
    const known = new Map(
      SETS.map(([type, file]) => [type, Object.keys(editorDefinition(read(file.replace('.js', '.html'))).defaults)]),
    );
    for (const example of readdirSync(join(ROOT, 'examples'))) {
      for (const node of readJson(`examples/${example}`) as Record<string, unknown>[]) {
        const properties = known.get(String(node.type));
        if (properties === undefined) continue;
        const own = Object.keys(node).filter((key) => !['id', 'type', 'z', 'g', 'x', 'y', 'wires', 'd'].includes(key));
        assert.deepEqual(own.sort(), properties.sort(), `${example}: ${node.type} ${node.id}`);
      }
    }
  });

  test('has examples that can be imported side by side: nodes with the same id are the shared config nodes', () => {
    const known = new Map<string, Record<string, unknown>>();
    for (const example of readdirSync(join(ROOT, 'examples'))) {
      for (const node of readJson(`examples/${example}`) as Record<string, unknown>[]) {
        const id = String(node.id);
        const other = known.get(id);
        known.set(id, node);
        if (other === undefined) continue;
        assert.ok(!('z' in node) && node.type !== 'tab', `${example}: ${id} is in another example too`);
        assert.deepEqual(node, other, `${example}: ${id} differs from the one of another example`);
      }
    }
  });

  for (const language of LANGUAGES) {
    test(`has every text that nodes use at run time in ${language}`, () => {
      const texts = readJson(`dist/nodes/locales/${language}/sale.json`);
      const code = filesBelow(NODES, '.js').map((file) => readFileSync(file, 'utf8'));
      const used = new Set(
        code.flatMap((text) => [...text.matchAll(/['"`](status\.[\w-]+)['"`]/g)].map(([, key]) => String(key))),
      );
      for (const name of [...Object.keys(STAGES), ...OUTCOMES]) used.add(`status.${name}`);
      for (const key of used) assert.equal(typeof at(texts, key), 'string', key);
    });
  }

  test('loads what is heavy with the first payment, not with Node-RED', () => {
    const files = SETS.map(([, file]) => join(ROOT, file));
    const script = `${JSON.stringify(files)}.forEach(require); console.log(Object.keys(require.cache).join('\\n'))`;
    const loaded = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim().split('\n');
    assert.ok(loaded.length > SETS.length);
    assert.deepEqual(
      loaded.filter((file) => /node_modules|dist\/simulator/.test(file)),
      [],
    );
  });

  test('brings all that a node needs, and nothing of how it is made', () => {
    const options = { cwd: ROOT, encoding: 'utf8', shell: process.platform === 'win32' } as const;
    const answer = execFileSync(
      'npm',
      ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'],
      options,
    );
    const files: string[] = JSON.parse(answer)[0].files.map(({ path }: { path: string }) => path);
    const needed = ['README.md', 'LICENSE', 'CHANGELOG.md', 'dist/core/index.js', 'dist/simulator/cli.js'];
    needed.push(...['index.html', 'page.js', 'page.css', 'texts/ja.json'].map((file) => `dist/simulator/page/${file}`));
    for (const [type, file] of SETS) {
      const name = basename(file, '.js');
      needed.push(file, file.replace('.js', '.html'));
      for (const language of LANGUAGES)
        needed.push(...['json', 'html'].map((end) => `dist/nodes/locales/${language}/${name}.${end}`));
      if (existsSync(join(ROOT, 'examples', `${type}.json`))) needed.push(`examples/${type}.json`);
    }
    assert.deepEqual(
      needed.filter((file) => !files.includes(file)),
      [],
    );
    assert.deepEqual(
      files.filter((file) => /^(src|test|scripts|locales)\//.test(file)),
      [],
    );
  });

  test('has no source file above 350 lines', () => {
    const long = filesBelow(join(ROOT, 'src'), '.ts').filter(
      (file) => readFileSync(file, 'utf8').split('\n').length > 351,
    );
    assert.deepEqual(long, []);
  });
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function readJson(path: string) {
  return JSON.parse(read(path));
}

function at(texts: unknown, key: string): unknown {
  return key.split('.').reduce((branch, part) => (branch as Record<string, unknown> | undefined)?.[part], texts);
}

function filesBelow(folder: string, end: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => join(folder, file));
}

/** What a node's html registers, as the editor comes to know it. */
function editorDefinition(html: string): Definition {
  const script = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  const found: Definition[] = [];
  const nodes = { registerType: (_type: string, definition: Definition) => found.push(definition) };
  runInNewContext(script, { RED: { nodes } });
  const [definition, ...more] = found;
  assert.ok(definition !== undefined && more.length === 0, 'one definition');
  return definition;
}

function registrations(file: string): { type: string; credentials?: object }[] {
  const found: { type: string; credentials?: object }[] = [];
  const registerType = (type: string, _constructor: unknown, options?: { credentials?: object }): void => {
    found.push({ type, credentials: options?.credentials });
  };
  const route = (): undefined => undefined;
  const RED = {
    nodes: { registerType },
    httpAdmin: { get: route, post: route },
    auth: { needsPermission: () => route },
    events: { on: route },
  };
  require(join(ROOT, file)).default(RED);
  return found;
}

function runtimeTypes(file: string): string[] {
  return registrations(file).map(({ type }) => type);
}

function runtimeCredentials(file: string): object {
  return registrations(file)[0]?.credentials ?? {};
}
