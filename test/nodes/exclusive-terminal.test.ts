import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { shows } from '../harness/shows.js';
import { type Flow, type Service, startFlow, startService } from './flow.js';

const FIRST = { serial_number: '10000001', terminal_type: 'SIMULATEDT1' };
const SECOND = { serial_number: '10000002', terminal_type: 'SIMULATEDT1' };

/** The config node of the flow is the first terminal's. */
const CASES: [name: string, terminal: object, msg: object, expected: boolean][] = [
  ['a flow from before the field has the terminal to itself', {}, {}, true],
  ['a terminal that is switched to shared', { exclusive: false }, {}, false],
  ['a terminal of the message with a config node', { exclusive: true }, { terminal: FIRST }, true],
  ['a shared terminal of the message with a config node', { exclusive: false }, { terminal: FIRST }, false],
  ['a terminal of the message without a config node', { exclusive: true }, { terminal: SECOND }, false],
];

for (const [name, terminal, msg, expected] of CASES) {
  describe('used by this flow alone', () => {
    let service: Service;
    let flow: Flow;

    before(async () => {
      service = await startService();
      const address = { serialNumber: FIRST.serial_number, terminalType: FIRST.terminal_type };
      flow = await startFlow({ service, terminal: { ...address, ...terminal } });
    });
    after(async () => {
      await flow.stop();
      await service.stop();
    });

    test(`${name}: ${expected ? 'yes' : 'no'}`, async () => {
      await flow.run({ payload: { amount: '10.00' }, ...msg });
      const engine = await flow.environment().engine();
      const [record] = await engine.recent(1);
      assert.ok(record?.kind === 'terminal');
      assert.equal(record.policies.exclusiveTerminal, expected);
    });
  });
}

test('a terminal of the message is known by its config node in a subflow', async () => {
  const service = await startService();
  const serialNumber = `\${SERIAL}`;
  const inner = { environment: 'environment', serialNumber, terminalType: SECOND.terminal_type, exclusive: true };
  const flow = await startFlow({
    service,
    more: [
      { id: 'counter', type: 'subflow', name: 'counter', env: [{ name: 'SERIAL', type: 'str', value: '' }] },
      { id: 'inner', type: 'payment-terminal', z: 'counter', ...inner },
      { id: 'inner-sale', type: 'payment-sale', z: 'counter', x: 0, y: 0, terminal: 'inner', wires: [[], [], []] },
      {
        id: 'counter-2',
        type: 'subflow:counter',
        z: 'tab',
        x: 0,
        y: 0,
        env: [{ name: 'SERIAL', type: 'str', value: SECOND.serial_number }],
        wires: [],
      },
    ],
  });
  await flow.run({ payload: { amount: '10.00' }, terminal: SECOND });
  const [record] = await (await flow.environment().engine()).recent(1);
  assert.equal(record?.kind === 'terminal' && record.policies.exclusiveTerminal, true);
  await flow.stop();
  await service.stop();
});

test('a terminal of the message can be paid on and cancelled beside a config node whose number is a variable that is not set', async () => {
  const service = await startService({ cardholder: 'none' });
  const serialNumber = `\${NOT_SET_ANYWHERE}`;
  const unset = { id: 'unset', type: 'payment-terminal', environment: 'environment', serialNumber, terminalType: 'T' };
  const flow = await startFlow({ service, more: [unset] });
  const begun = shows(service.simulator.terminal(SECOND.serial_number), 'awaiting-card');
  flow.send({ payload: { amount: '10.00' }, terminal: SECOND });
  await begun;
  flow.send({ cancel: { terminal: SECOND.serial_number } });
  const { output, msg } = await flow.answer();
  assert.deepEqual([output, msg.payload.moneyMoved], ['not-done', 'no']);
  await flow.stop();
  await service.stop();
});
