import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf } from '../../src/nodes/editor/field-problems.js';
import environment from '../../src/nodes/environment.form.js';

const fields = environment.groups.flatMap((group) => group.fields);

for (const name of ['baseUrl', 'statusUrl', 'callbackUrl']) {
  test(`the dialog of an environment refuses what no path can stand below: ${name}`, () => {
    const field = fields.find((one) => one.name === name);
    assert.ok(field);
    const found = (text: string) => problemOf(field, text, undefined, () => undefined)?.is;
    for (const text of ['https://service.example', 'https://service.example/api/', 'http://127.0.0.1:1880/payments'])
      assert.equal(found(text), undefined, text);
    for (const text of [
      'https://service.example/api?',
      'https://service.example/#live',
      'https://me:pw@service.example',
    ])
      assert.equal(found(text), 'base', text);
    assert.equal(found('http://service.example'), 'url');
  });
}
