import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ConfigurationError } from '../../src/core/base/errors.js';
import { environmentSettings } from '../../src/nodes/runtime/settings/environment-settings.js';
import { type FlowOptions, type Service, startFlow, startService } from './flow.js';

/** Node-RED puts the text of a variable in place of `${VAR}`, also where the editor has a checkbox. */
const CHECKBOX = `\${CHECKBOX}`;

const MISTAKES: [what: string, options: Omit<FlowOptions, 'service'>, field: string][] = [
  ['terminal', { terminal: { exclusive: CHECKBOX } }, 'used by this flow only'],
  ['environment', { environment: { checkGroup: CHECKBOX } }, 'environment "environment": check group'],
  ['sale', { sale: { progress: CHECKBOX } }, 'progress output'],
];

describe('a checkbox that a variable answers', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(async () => {
    delete process.env.CHECKBOX;
    await service.stop();
  });

  for (const [text, expected] of [
    ['false', false],
    ['true', true],
  ] as const) {
    test(`a terminal is used by this flow only: ${text}`, async (t) => {
      process.env.CHECKBOX = text;
      const flow = await startFlow({ service, terminal: { exclusive: CHECKBOX } });
      t.after(() => flow.stop());
      await flow.run({ payload: { amount: '10.00' } });
      const [record] = await (await flow.environment().engine()).recent(1);
      assert.ok(record?.kind === 'terminal');
      assert.equal(record.policies.exclusiveTerminal, expected);
    });

    test(`an environment's checkboxes: ${text}`, () => {
      const given = { checkGroup: text, keepReceipts: text, countReads: text };
      const secret = { callbackSecret: 'secret' };
      const { checkGroup, keepReceipts, countReads } = environmentSettings({ kind: 'simulator', ...given }, secret);
      assert.deepEqual([checkGroup, keepReceipts, countReads], [expected, expected, expected]);
    });
  }

  test('a payment has its progress output', async (t) => {
    process.env.CHECKBOX = 'true';
    const sale = { progress: CHECKBOX, wires: [['done'], ['not-done'], ['needs-attention'], ['results']] };
    const flow = await startFlow({ service, sale, callbackIn: { wires: [[]] } });
    t.after(() => flow.stop());
    await flow.run({ payload: { amount: '10.00' } });
    assert.notEqual(flow.messages.filter(({ output }) => output === 'results').length, 0);
  });

  for (const [where, options, field] of MISTAKES) {
    test(`nothing is charged where that is neither yes nor no: ${where}`, async (t) => {
      process.env.CHECKBOX = 'nein';
      const before = service.bank.charges().length;
      const flow = await startFlow({ service, ...options });
      t.after(() => flow.stop());
      const { output, msg } = await flow.run({ payload: { amount: '10.00' } });
      const { message } = msg.error as unknown as ConfigurationError;
      assert.deepEqual(
        [output, message.replace('ConfigurationError: ', '')],
        ['mistake', `${field}: expected true or false, got nein`],
      );
      assert.equal(service.bank.charges().length, before);
    });
  }

  for (const text of [undefined, 'TRUE', '1']) {
    test(`nothing is charged where a flag of the payment itself is ${text ?? 'a variable that is not set'}`, async (t) => {
      if (text === undefined) delete process.env.CHECKBOX;
      else process.env.CHECKBOX = text;
      const before = service.bank.charges().length;
      const flow = await startFlow({ service, sale: { duplicateCheck: CHECKBOX, duplicateCheckType: 'bool' } });
      t.after(() => flow.stop());
      const { output, msg } = await flow.run({ payload: { amount: '10.00' } });
      const { message } = msg.error as unknown as { message: string };
      assert.equal(output, 'mistake');
      assert.match(message, /duplicateCheck: expected true or false, got /);
      assert.ok(message.endsWith(`"${text ?? CHECKBOX}"`), message);
      assert.equal(service.bank.charges().length, before);
    });
  }

  test('a variable that is empty, and a number, are no answer', () => {
    for (const [value, got] of [
      ['', 'nothing'],
      [1, '1'],
    ]) {
      const message = `check group: expected true or false, got ${got}`;
      assert.throws(() => environmentSettings({ kind: 'simulator', checkGroup: value }), { message });
    }
  });
});
