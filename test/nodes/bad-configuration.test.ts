import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { action, type FlowOptions, type Service, startFlow, startService } from './flow.js';

/** What a config node says, and what the error of the first message must name. */
type Row = [what: string, options: Omit<FlowOptions, 'service'>, names: RegExp, got: string];

const UNSET = `\${NOPE}`;
/** Node-RED takes this for a variable, too. */
const UNSET_OLDER = '$(NOPE)';

const ROWS: Row[] = [
  ['a kind that is none', { environment: { kind: 'prod' } }, /kind: expected one of simulator, staging/, 'prod'],
  ['no service address', { environment: { baseUrl: '' } }, /environment "[^"]+": service address: none is entered/, ''],
  ['no status address', { environment: { statusUrl: ' ' } }, /status service address: none is entered/, ''],
  ['a service address that is none', { environment: { baseUrl: 'here' } }, /service address: expected a URL/, 'here'],
  [
    'a plain address elsewhere',
    { environment: { baseUrl: 'http://payments.example' } },
    /service address: expected https \(http is allowed on this machine only\)/,
    'http://payments.example',
  ],
  [
    'a plain address for live payments',
    { environment: { kind: 'live' } },
    /service address: expected https \(a live environment needs https\)/,
    'http://127.0.0.1',
  ],
  [
    'a plain callback address elsewhere',
    { environment: { callbackUrl: 'http://till.example' } },
    /public address: expected https/,
    'http://till.example',
  ],
  ['no key', { credentials: { apiKey: '' } }, /API key: none is entered/, ''],
  [
    'a key that no header can carry',
    { credentials: { apiKey: 'schlüssel' } },
    /API key is empty, or has characters/,
    '',
  ],
  ['an acquirer group that is none', { environment: { group: 'Z' } }, /acquirer group: expected one of B, E, S/, 'Z'],
  [
    'no requests at all',
    { environment: { requestsPerSecond: 0 } },
    /requests per second: expected a whole number/,
    '0',
  ],
  [
    'half a request',
    { environment: { requestsPerSecond: 0.5 } },
    /requests per second: expected a whole number/,
    '0.5',
  ],
  ['a variable that is not set', { environment: { baseUrl: UNSET } }, /service address: .*variable NOPE/, 'NOPE'],
  [
    'a variable that is a part of a field',
    { environment: { baseUrl: `http://${UNSET}/api` } },
    /service address: the environment variable NOPE is only a part of the field/,
    'NOPE',
  ],
  ['a key that is not set', { credentials: { apiKey: UNSET } }, /API key: the environment variable NOPE/, ''],
  ['a terminal that is not set', { terminal: { serialNumber: UNSET } }, /serial number: .*variable NOPE/, ''],
  ['a journal that is not set', { folder: UNSET }, /journal folder: the environment variable NOPE/, ''],
  [
    'a callback secret that is not set, in the older form',
    { credentials: { apiKey: 'key', callbackSecret: UNSET_OLDER } },
    /callback secret: the environment variable NOPE is not set/,
    '',
  ],
  [
    'a key that is not set, in the older form',
    { credentials: { apiKey: UNSET_OLDER } },
    /API key: .*variable NOPE/,
    '',
  ],
  [
    'a terminal that is not set, in the older form',
    { terminal: { serialNumber: ` ${UNSET_OLDER} ` } },
    /serial number: .*variable NOPE/,
    '',
  ],
  ['a journal that is not set, in the older form', { folder: UNSET_OLDER }, /journal folder: .*variable NOPE/, ''],
  [
    'a checkbox that is not set, in the older form',
    { environment: { checkGroup: UNSET_OLDER } },
    /check group: .*variable NOPE/,
    '',
  ],
  [
    'an address with a password',
    { environment: { baseUrl: 'https://user:s3cret@service.example' } },
    /service address: expected no user name or password in it$/,
    '',
  ],
  [
    'an address with a query',
    { environment: { baseUrl: 'https://service.example/api?token=s3cret' } },
    /service address: expected no "\?" and no "#" in it$/,
    '',
  ],
  [
    'an address with a fragment',
    { environment: { statusUrl: 'https://status.example/#live' } },
    /status service address: expected no "\?" and no "#" in it$/,
    '',
  ],
  [
    'FlowFuse with high availability, and a journal in a folder',
    { settings: { flowforge: { projectLink: { useSharedSubscriptions: true } } } },
    /FlowFuse runs this instance twice .*: choose a journal node with PostgreSQL/,
    '',
  ],
  ['FlowFuse with two replicas', { settings: { flowforge: { mqttNodes: { ha: 2 } } } }, /choose a journal node/, ''],
  ['a terminal without a number', { terminal: { serialNumber: '' } }, /needs a serial number and a type/, ''],
  ['a terminal without a type', { terminal: { terminalType: '' } }, /needs a serial number and a type/, ''],
  [
    'a terminal without an environment',
    { terminal: { environment: '' } },
    /terminal of this node has no environment/,
    '',
  ],
  ['a sale without a terminal', { sale: { terminal: '' } }, /the node has no terminal: choose one/, ''],
  [
    'a sale whose terminal is gone',
    { sale: { terminal: 'gone' } },
    /terminal of this node is disabled or was removed/,
    '',
  ],
  [
    'a sale whose terminal is disabled',
    { terminal: { d: true } },
    /terminal of this node is disabled or was removed/,
    '',
  ],
];

const NO_KEY = { credentials: { apiKey: '' } };

/** What is missing, and what each node says of it. */
const LACKS: [what: string, options: Omit<FlowOptions, 'service'>, node: string, status: string][] = [
  ['a terminal that is disabled', { terminal: { d: true } }, 'sale', 'status.no-terminal'],
  ['a terminal that was not chosen', { sale: { terminal: '' } }, 'sale', 'status.no-terminal'],
  ['an environment that was not chosen', { terminal: { environment: '' } }, 'sale', 'status.no-environment'],
  ['an environment that is disabled', { environment: { d: true } }, 'sale', 'status.no-environment'],
  ['an environment that is disabled', { environment: { d: true } }, 'net', 'status.no-environment'],
  ['an environment that is disabled', { environment: { d: true } }, 'callback-in', 'status.no-environment'],
  ['an environment that cannot be used', NO_KEY, 'sale', 'status.environment-unusable'],
  ['an environment that cannot be used', NO_KEY, 'net', 'status.environment-unusable'],
  ['an environment that cannot be used', NO_KEY, 'callback-in', 'status.environment-unusable'],
];

describe('a configuration that allows no payment', () => {
  let service: Service;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  for (const [what, options, names, got] of ROWS) {
    test(`${what}: the message goes to Catch once, and nothing is sent`, async () => {
      const flow = await startFlow({ service, ...options });
      try {
        flow.send({ payload: { amount: '1.00', currency: 'EUR' }, order: 7 });
        const { output, msg } = await flow.answer();
        const { message, code } = msg.error as unknown as { message: string; code: string };
        assert.deepEqual([output, code, msg.order], ['mistake', 'INVALID_CONFIGURATION', 7]);
        assert.match(message, names);
        assert.ok(message.includes(got), message);
        assert.equal(flow.answers().length, 1);
        assert.deepEqual(service.simulator.requests.latest(), []);
      } finally {
        await flow.stop();
      }
    });
  }

  test('a node whose terminal is gone does not take the first terminal of the simulator for it', async () => {
    const flow = await startFlow({
      service,
      environment: { kind: 'simulator', baseUrl: '', statusUrl: '', callbackUrl: '' },
      more: [action('ping', 'payment-device', { operation: 'pingDevice', terminal: 'gone' })],
    });
    try {
      flow.send({}, 'ping');
      const { output, msg } = await flow.answer();
      assert.equal(output, 'mistake');
      assert.match(
        (msg.error as unknown as { message: string }).message,
        /terminal of this node is disabled or was removed/,
      );
      flow.send({ terminal: { serial_number: '10000001', terminal_type: 'SIMULATEDT1' } }, 'ping');
      assert.equal((await flow.answer(2)).output, 'done');
    } finally {
      await flow.stop();
    }
  });

  for (const [what, options, node, status] of LACKS) {
    test(`${what} is what the status below the ${node} says`, async () => {
      const flow = await startFlow({
        service,
        ...options,
        more: [action('net', 'payment-status', { terminal: undefined })],
      });
      try {
        assert.equal(flow.said(node).statuses.at(-1), status);
      } finally {
        await flow.stop();
      }
    });
  }
});
