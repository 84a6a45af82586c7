import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateReader } from '../../src/nodes/input/template.js';

const customerReference = async (text: string, msg: object): Promise<{ value: string | undefined; source: string }> =>
  templateReader({ kind: 'template', name: 'customerReference', default: '' }, text)(msg);

const NO_TEXTS: [template: string, property: string, got: string][] = [
  ['{{payload.order}}', 'payload.order', '{"a":1}'],
  ['{{{payload.order}}}', 'payload.order', '{"a":1}'],
  ['{{&payload.order}}', 'payload.order', '{"a":1}'],
  ['No. {{#payload}}{{order}}{{/payload}}', 'order', '{"a":1}'],
  ['{{#payload.list}}{{.}}{{/payload.list}}', '.', '{"a":1}'],
  ['{{payload.list}}', 'payload.list', '["x",{"a":1}]'],
  ['{{payload.query}}', 'payload.query', '{"a":"1"}'],
];
for (const [template, property, got] of NO_TEXTS) {
  test(`${template} is refused where it names an object, and the error says which`, async () => {
    const query = Object.assign(Object.create(null), { a: '1' });
    const payload = { order: { a: 1 }, list: ['x', { a: 1 }], query };
    await assert.rejects(customerReference(template, { payload }), {
      code: 'INVALID_INPUT',
      message: `customerReference: expected text in ${property}, got ${got}`,
    });
  });
}

test('what has a text of its own is taken, and so is a text that looks like none', async () => {
  const payload = { list: ['a', 'b'], bytes: Buffer.from('c'), text: '[object Object]' };
  const { value } = await customerReference('{{payload.list}} {{payload.bytes}} {{payload.text}}', { payload });
  assert.equal(value, 'a,b c [object Object]');
});

for (const [template, source] of [
  ['{{ payload.order }}', 'msg.payload.order'],
  ['No. {{order}}', 'No. {{order}}'],
  [`{{order}}${'x'.repeat(100)}`, `{{order}}${'x'.repeat(51)}…`],
] as const) {
  test(`an error about the text of ${template} says where it came from`, async () => {
    assert.equal((await customerReference(template, {})).source, `customerReference from ${source}`);
  });
}
