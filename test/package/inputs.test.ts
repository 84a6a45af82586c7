import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Field, Form } from '../../src/nodes/form/form.js';
import { MONEY_TYPES } from '../../src/nodes/form/unheard.js';
import { ROOT } from '../harness/node-red.js';

/** docs/message.md has one table of what each node reads of a message unless its dialog says otherwise. */

const FOLDER = join(ROOT, 'src/nodes');
const TABLE = /^\| node \| property of `msg` .*\n.*\n((?:\|.*\n)+)/m;

test('docs/message.md lists every property that a node reads by itself, and no other', async () => {
  const read: string[] = [];
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.form.ts'))) {
    const { default: form } = (await import(join(FOLDER, file))) as { default: Form };
    for (const property of new Set(inputsOf(form))) read.push(`${form.type}: ${property}`);
  }
  assert.deepEqual(documented().sort(), read.sort());
});

function inputsOf({ type, groups }: Form): string[] {
  const inputs = groups.flatMap(({ fields }) => fields).flatMap(inputsIn);
  return MONEY_TYPES.has(type) || type === 'payment-token' ? [...inputs, 'cancel'] : inputs;
}

function inputsIn(field: Field): string[] {
  if (field.kind === 'config') return field.type === 'payment-terminal' ? ['terminal'] : [];
  if (field.kind === 'typed') return field.default.type === 'msg' ? [field.default.value] : [];
  if (field.kind === 'template')
    return [...field.default.matchAll(/\{\{\{?([^{}]+)\}/g)].map(([, name]) => String(name));
  return [];
}

function documented(): string[] {
  const [, rows = ''] = TABLE.exec(readFileSync(join(ROOT, 'docs/message.md'), 'utf8')) ?? [];
  return rows
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [, types = '', properties = ''] = row.split('|');
      return namesIn(types).flatMap((type) => namesIn(properties).map((property) => `${type}: ${property}`));
    });
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name));
}
