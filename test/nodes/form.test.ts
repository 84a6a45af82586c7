import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import type { Node, NodeAPI } from 'node-red';
import { amount, choice, flag, json, number, template, text } from '../../src/nodes/form/fields.js';
import { defineForm, type Field } from '../../src/nodes/form/form.js';
import { FieldReader } from '../../src/nodes/input/field-reader.js';
import type { Readings } from '../../src/nodes/input/reading.js';
import { NODE_RED } from '../harness/node-red.js';

const helper = createRequire(__filename)('node-red-node-test-helper');
helper.init(NODE_RED);

const FIELDS: Field[] = [
  amount('amount', 'payload.amount'),
  text('currency', 'payload.currency'),
  choice('unit', ['major', 'minor']),
  number('deadline', '', { min: 10, max: 360 }),
  flag('tokenize', false),
  json('merchantAuth'),
  template('customerReference'),
];

describe('the fields of a node, read for a message', () => {
  let RED: NodeAPI;
  let node: Node;

  before(async () => {
    const probe = (api: NodeAPI): void => {
      RED = api;
      api.nodes.registerType('probe', function (this: Node, config) {
        api.nodes.createNode(this, config);
      });
    };
    const flow = [
      { id: 'tab', type: 'tab', label: 'test', env: [{ name: 'PRICE', type: 'str', value: '7.00' }] },
      { id: 'probe', type: 'probe', z: 'tab', x: 1, y: 1, wires: [] },
    ];
    await helper.load([probe], flow);
    node = helper.getNode('probe');
    node.context().flow.set('basket.total', '12.30');
    node.context().global.set('currency', 'KWD');
  });
  after(() => helper.unload());

  function read(config: object, msg: object, fields: Field[] = FIELDS): Promise<Readings> {
    const form = { type: 'probe', category: 'payments', color: '', icon: '', inputs: 1, outputs: [] } as const;
    const whole = defineForm({ ...form, groups: [{ name: 'main', open: true, fields }] });
    return new FieldReader(RED, node, whole, config).read(msg);
  }

  const PLACES: [where: string, config: object, value: unknown, source: string][] = [
    ['the message', {}, '1.00', 'msg.payload.amount'],
    ['the flow', { amount: 'basket.total', amountType: 'flow' }, '12.30', 'flow.basket.total'],
    ['the global context', { amount: 'currency', amountType: 'global' }, 'KWD', 'global.currency'],
    ['the environment', { amount: 'PRICE', amountType: 'env' }, '7.00', 'env PRICE'],
    ['an expression', { amount: 'payload.net & "0"', amountType: 'jsonata' }, '2.50', 'expression of amount'],
    ['the form', { amount: '9.90', amountType: 'num' }, '9.90', 'amount'],
  ];
  for (const [where, config, value, source] of PLACES) {
    test(`takes a value from ${where}, and knows that it does`, async () => {
      const { amount } = await read(config, { payload: { amount: '1.00', net: '2.5' } });
      assert.deepEqual(amount, { value, source });
    });
  }

  test('keeps the digits of a constant, which a float would round', async () => {
    const { amount } = await read({ amount: '90071992547409.93', amountType: 'num' }, {});
    assert.equal(amount?.value, '90071992547409.93');
  });

  test('has the defaults of the form where an older flow lacks a property', async () => {
    const { unit, tokenize, deadline } = await read({}, {});
    assert.deepEqual([unit?.value, tokenize?.value, deadline?.value], ['major', false, undefined]);
  });

  for (const payload of [undefined, null, 7, 'text', {}, { amount: '' }, { amount: null }]) {
    test(`reads nothing from a payload that is ${JSON.stringify(payload) ?? 'absent'}`, async () => {
      const { amount, currency } = await read({}, { payload });
      assert.deepEqual(amount, { value: undefined, source: 'msg.payload.amount' });
      assert.equal(currency?.value, undefined);
    });
  }

  const FLAGS: [typed: unknown, value: boolean | undefined][] = [
    ['true', true],
    ['false', false],
    [' false ', false],
    [true, true],
    [false, false],
    ['', undefined],
  ];
  for (const [typed, value] of FLAGS) {
    test(`reads the flag ${JSON.stringify(typed)} as ${value}`, async () => {
      const { tokenize } = await read({ tokenize: typed, tokenizeType: 'bool' }, {});
      assert.deepEqual(tokenize, { value, source: 'tokenize' });
    });
  }

  for (const typed of [`\${UNSET}`, 'TRUE', 'True', '1', 1, '0', 'yes', 'nein']) {
    test(`refuses the flag ${JSON.stringify(typed)}, which would count as false`, async () => {
      await assert.rejects(read({ tokenize: typed, tokenizeType: 'bool' }, {}), {
        code: 'INVALID_INPUT',
        message: `tokenize: expected true or false, got "${typed}"`,
      });
    });
  }

  test('reads a structure typed into the form', async () => {
    const { merchantAuth } = await read({ merchantAuth: '[{"mid":"1"}]', merchantAuthType: 'json' }, {});
    assert.deepEqual(merchantAuth?.value, [{ mid: '1' }]);
  });

  const PROPERTIES: [template: string, value: string | undefined][] = [
    ['{{payload.order.length}}', '2'],
    ['{{ payload.list.1 }}', 'b'],
    ['{{payload.zero}}', '0'],
    ['{{payload.open}}', 'false'],
    ['{{payload.made}}', 'made of A1'],
    ['{{payload.empty}}', undefined],
    ['{{payload.nothing.further}}', undefined],
    ['{{none.further}}', undefined],
  ];
  for (const [customerReference, value] of PROPERTIES) {
    test(`fills ${customerReference} as Mustache does`, async () => {
      const payload = { order: 'A1', list: ['a', 'b'], zero: 0, open: false, empty: '', nothing: null };
      const made = function (this: { payload: { order: string } }): string {
        return `made of ${this.payload.order}`;
      };
      const values = await read({ customerReference }, { payload: { ...payload, made } });
      assert.equal(values.customerReference?.value, value);
    });
  }

  test('fills a template from the message as it is, and leaves nothing of what is absent', async () => {
    const msg = { payload: { order: `A&B's <7>` } };
    const { customerReference } = await read({ customerReference: '{{payload.order}}{{payload.none}}' }, msg);
    assert.equal(customerReference?.value, `A&B's <7>`);
    assert.equal((await read({ customerReference: '{{payload.none}}' }, msg)).customerReference?.value, undefined);
  });

  test('escapes what a message puts into HTML', async () => {
    const receipt: Field = { kind: 'template', name: 'receipt', default: '<b>{{payload}}</b>', html: true };
    const readings = await read({}, { payload: '<script>' }, [receipt]);
    assert.equal(readings.receipt?.value, '<b>&lt;script&gt;</b>');
  });

  const MISTAKES: [what: string, config: object, msg: object, message: string][] = [
    [
      'a word that is no choice',
      { unit: 'payload.unit', unitType: 'msg' },
      { payload: { unit: 'cents' } },
      'msg.payload.unit: expected one of major, minor, got "cents"',
    ],
    [
      'a number out of its range',
      { deadline: '5', deadlineType: 'num' },
      {},
      'deadline: expected a number from 10 to 360, got "5"',
    ],
    [
      'a list where a number belongs',
      { deadline: 'payload', deadlineType: 'msg' },
      { payload: [60] },
      'msg.payload: expected a number from 10 to 360, got [60]',
    ],
    ['broken JSON', { merchantAuth: '[{', merchantAuthType: 'json' }, {}, 'merchantAuth: expected JSON, got "[{"'],
  ];
  for (const [what, config, msg, message] of MISTAKES) {
    test(`refuses ${what}, and says where it came from`, async () => {
      await assert.rejects(read(config, msg), { name: 'InputError', code: 'INVALID_INPUT', message });
    });
  }

  test('refuses a required value that is absent', async () => {
    const required = [amount('amount', 'payload.amount', true), choice('unit', ['major', 'minor'])];
    for (const [unit, expected] of [
      ['major', 'a decimal such as 12.50'],
      ['minor', 'a whole number of minor units such as 1250'],
    ]) {
      await assert.rejects(read({ unit }, { payload: {} }, required), {
        code: 'INVALID_INPUT',
        message: `msg.payload.amount: expected ${expected}, got nothing`,
      });
    }
    await assert.rejects(read({}, { payload: {} }, [text('reference', 'payload.reference', true)]), {
      message: 'msg.payload.reference: expected text, got nothing',
    });
  });

  const UNREADABLE: [what: string, config: object, message: RegExp][] = [
    ['a path', { amount: 'payload[', amountType: 'msg' }, /^msg\.payload\[: expected a value that can be read/],
    ['an expression', { amount: '$sum(', amountType: 'jsonata' }, /^expression of amount: expected a value that can/],
    ['an expression that fails', { amount: '$number("x")', amountType: 'jsonata' }, /^expression of amount: /],
    ['a template', { customerReference: '{{#open}}' }, /^customerReference: expected a Mustache template/],
  ];
  for (const [what, config, message] of UNREADABLE) {
    test(`refuses ${what} that cannot be read`, async () => {
      await assert.rejects(read(config, { payload: {} }), { code: 'INVALID_INPUT', message });
    });
  }
});
