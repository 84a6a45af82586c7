import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Flow, type Service, startFlow, startService } from './flow.js';

/** A variable of a tab, a group, a subflow or of all flows may be a number; Node-RED puts that in place of `${VAR}`. */
describe('a serial number that a variable of another type than string names', () => {
  let service: Service;
  let flow: Flow;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  afterEach(() => flow.stop());

  async function paidWith(kind: string, variable: { type: string; value: string }) {
    flow = await startFlow({ service, environment: { kind } });
    const [serialNumber, env] = [`\${SERIAL}`, [{ name: 'SERIAL', ...variable }]];
    await flow.redeploy((node) => {
      if (node.id === 'tab') return { ...node, env };
      if (node.id === 'terminal') return { ...node, z: 'tab', serialNumber };
      return node;
    });
    const { output, msg } = await flow.run({ payload: { amount: '10.00' } });
    const { error } = msg as { error?: { message: string } };
    return output === 'mistake'
      ? error?.message.replace('ConfigurationError: ', '')
      : [output, msg.payload.terminal?.serial_number];
  }

  for (const kind of ['demo', 'simulator']) {
    test(`is the one that is charged, in an environment of the kind ${kind}`, async () => {
      assert.deepEqual(await paidWith(kind, { type: 'num', value: '10000002' }), ['done', '10000002']);
    });

    for (const [what, variable, message] of [
      ['is a boolean', { type: 'bool', value: 'true' }, 'serial number: expected a text, got a boolean'],
      [
        'has more digits than a number keeps',
        { type: 'num', value: '12345678901234567' },
        'serial number: the number is too long, make it a variable of the type string',
      ],
    ] as const) {
      test(`is refused where it ${what}, and no other terminal is charged (${kind})`, async () => {
        assert.equal(await paidWith(kind, variable), message);
      });
    }
  }
});
