/** The flows that are compared. Each takes what `bench-driver` sends, and gives it back with `payload.outcome`. */

export interface Service {
  baseUrl: string;
  statusUrl: string;
  /** Where the service reaches Node-RED. */
  callback: string;
}

type Flow = object[];

const TAB = { id: 'tab', type: 'tab', label: 'bench' };

function driver(to: string): object {
  return { id: 'driver', z: 'tab', type: 'bench-driver', wires: [[to]] };
}

/** A node that makes the same requests with undici, and keeps nothing. */
export function bareFlow({ baseUrl, callback }: Service): Flow {
  const bare = {
    id: 'bare',
    z: 'tab',
    type: 'bench-bare',
    baseUrl,
    callback,
    apiKey: 'simulator',
    wires: [['driver']],
  };
  return [TAB, driver('bare'), bare];
}

/**
 * The sale as one wires it from core nodes: a request with a reference and a token, an `http in` for the result, and
 * polls every 4 s for as long as none has come.
 */
export function handFlow({ baseUrl, callback }: Service): Flow {
  return [
    TAB,
    driver('prepare'),
    code('prepare', [['post']], PREPARE.replace('$BASE', baseUrl).replace('$CALLBACK', `${callback}/by-hand`)),
    http('post', 'POST', 'accepted'),
    code('accepted', [['wait'], ['driver']], ACCEPTED),
    {
      id: 'wait',
      z: 'tab',
      type: 'delay',
      pauseType: 'delay',
      timeout: '4',
      timeoutUnits: 'seconds',
      wires: [['due']],
    },
    code('due', [['poll']], DUE.replace('$BASE', baseUrl)),
    http('poll', 'GET', 'polled'),
    code('polled', [['wait'], ['driver']], POLLED),
    { id: 'in', z: 'tab', type: 'http in', url: '/by-hand', method: 'post', upload: false, wires: [['called']] },
    code('called', [['answer'], ['driver']], CALLED),
    { id: 'answer', z: 'tab', type: 'http response', statusCode: '', headers: {}, wires: [] },
  ];
}

/** Our own sale node with its durable journal: results by callback. */
export function callbackFlow(service: Service): Flow {
  const callbackIn = {
    id: 'callback-in',
    z: 'tab',
    x: 1,
    y: 1,
    type: 'payment-callback-in',
    environment: 'environment',
  };
  return [...saleFlow(service, `${service.callback}/payments`), { ...callbackIn, wires: [[]] }];
}

/** The same, results by polling. */
export function pollingFlow(service: Service): Flow {
  return saleFlow(service, '');
}

function saleFlow({ baseUrl, statusUrl }: Service, callbackUrl: string): Flow {
  return [
    TAB,
    driver('sale'),
    { id: 'environment', type: 'payment-environment', kind: 'demo', baseUrl, statusUrl, callbackUrl, ...UNLIMITED },
    { id: 'terminal', type: 'payment-terminal', environment: 'environment' },
    {
      id: 'sale',
      z: 'tab',
      x: 1,
      y: 1,
      type: 'payment-sale',
      terminal: 'terminal',
      currency: 'EUR',
      currencyType: 'str',
      duplicateCheck: 'false',
      wires: [['driver'], ['driver'], ['driver']],
    },
    { id: 'catch', z: 'tab', x: 1, y: 1, type: 'catch', scope: ['sale'], wires: [['driver']] },
  ];
}

/** The rate limit of the service is not what is measured. */
const UNLIMITED = { group: 'B', requestsPerSecond: 2_000 };

function code(id: string, wires: string[][], func: string): object {
  const libs = [{ var: 'crypto', module: 'crypto' }];
  return { id, z: 'tab', type: 'function', func, outputs: wires.length, timeout: 0, noerr: 0, libs, wires };
}

function http(id: string, method: string, to: string): object {
  return { id, z: 'tab', type: 'http request', method, ret: 'obj', url: '', headers: [], wires: [[to]] };
}

const SETTLE = `
const pending = flow.get('pending') || {};
function settle(reference, result) {
  const { slot } = pending[reference];
  delete pending[reference];
  flow.set('pending', pending);
  return { slot, payload: { outcome: result.finStatus === 'AUTHORISED' ? 'approved' : result.finStatus, result } };
}`;

const PREPARE = `
const reference = crypto.randomUUID();
const token = crypto.randomBytes(16).toString('hex');
const pending = flow.get('pending') || {};
pending[reference] = { slot: msg.slot, token };
flow.set('pending', pending);
const amount = String(Math.round(Number(msg.payload.amount) * 100));
return {
  slot: msg.slot,
  reference,
  url: '$BASE/transactions',
  headers: { ApiKeyCloud: 'simulator', 'content-type': 'application/json' },
  payload: {
    operation: 'sale', ...msg.terminal, amount, currency: 'EUR', transactionReference: reference,
    callbackUrl: '$CALLBACK', token, duplicate_check: false,
  },
};`;

const ACCEPTED = `${SETTLE}
if (msg.statusCode !== 202) return [null, settle(msg.reference, { finStatus: 'refused' })];
msg.resultId = msg.payload.transactionResultId;
return [msg, null];`;

const DUE = `
const pending = flow.get('pending') || {};
if (!pending[msg.reference]) return null;
msg.url = '$BASE/transaction-result/' + msg.resultId;
msg.headers = { ApiKeyCloud: 'simulator' };
delete msg.payload;
return msg;`;

const POLLED = `${SETTLE}
if (!pending[msg.reference]) return null;
if (msg.statusCode !== 200) return [msg, null];
return [null, settle(msg.reference, msg.payload)];`;

const CALLED = `${SETTLE}
const result = msg.payload;
const waiting = pending[result.transactionReference];
if (!waiting || waiting.token !== msg.req.headers['auth-token']) {
  msg.statusCode = 404;
  return [msg, null];
}
const settled = settle(result.transactionReference, result);
msg.payload = '';
return [msg, settled];`;
