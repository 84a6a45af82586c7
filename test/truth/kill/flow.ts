/** `POST /pay` pays, every third payment that went through is taken back, and a witness writes down what comes out. */

export interface Addresses {
  baseUrl: string;
  statusUrl: string;
  /** Of the Node-RED that pays. */
  callbackUrl: string;
}

const ON_TAB = { z: 'tab', x: 1, y: 1 };
const ORDER =
  'msg.order = msg.payload.order; msg.terminal = msg.payload.terminal; delete msg.req; delete msg.res; return msg;';
const EVERY_THIRD = `
if (msg.payload.redelivered || Number(msg.order.slice(1)) % 3 !== 0) return null;
msg.order += '.1';
return msg;`;

export function killFlow(addresses: Addresses): object[] {
  return [
    { id: 'tab', type: 'tab', label: 'truth' },
    {
      id: 'environment',
      type: 'payment-environment',
      kind: 'demo',
      group: 'B',
      currency: 'EUR',
      requestsPerSecond: 1000,
      ...addresses,
    },
    { id: 'terminal', type: 'payment-terminal', environment: 'environment' },
    { ...ON_TAB, id: 'in', type: 'http in', url: '/pay', method: 'post', wires: [['taken', 'order']] },
    { ...ON_TAB, id: 'taken', type: 'http response', statusCode: '202', wires: [] },
    code('order', ORDER, 'sale'),
    {
      ...ON_TAB,
      id: 'sale',
      type: 'payment-sale',
      terminal: 'terminal',
      customerReference: '{{payload.order}}',
      busyWait: 120,
      duplicateCheck: 'false',
      wires: [['witness', 'every-third'], ['witness'], ['witness']],
    },
    code('every-third', EVERY_THIRD, 'reversal'),
    {
      ...ON_TAB,
      id: 'reversal',
      type: 'payment-reversal',
      environment: 'environment',
      terminal: 'terminal',
      wires: [['witness'], ['witness'], ['witness']],
    },
    { ...ON_TAB, id: 'catch', type: 'catch', scope: null, wires: [['witness']] },
    { ...ON_TAB, id: 'callback-in', type: 'payment-callback-in', environment: 'environment', wires: [[]] },
    { ...ON_TAB, id: 'witness', type: 'truth-witness' },
  ];
}

function code(id: string, func: string, to: string): object {
  return { ...ON_TAB, id, type: 'function', func, outputs: 1, libs: [], wires: [[to]] };
}
