import type { Service } from '../nodes/flow.js';

/** A flow for a Node-RED in a process of its own: `POST /pay` pays, and what leaves the sale node is posted to a collector. */
export function saleFlow(service: Service, collector: string, environment: object = {}): object[] {
  const output = (id: string, name: string) => [
    {
      id,
      z: 'tab',
      type: 'function',
      func: `return { payload: { output: '${name}', msg: { ...msg, req: undefined, res: undefined } } };`,
      outputs: 1,
      libs: [],
      x: 1,
      y: 1,
      wires: [['collect']],
    },
  ];
  return [
    { id: 'tab', type: 'tab', label: 'test' },
    {
      id: 'environment',
      type: 'payment-environment',
      kind: 'demo',
      baseUrl: service.baseUrl,
      statusUrl: service.statusUrl,
      group: 'B',
      currency: 'EUR',
      callbackUrl: '',
      requestsPerSecond: 100,
      ...environment,
    },
    {
      id: 'terminal',
      type: 'payment-terminal',
      environment: 'environment',
      serialNumber: '10000001',
      terminalType: 'SIMULATEDT1',
    },
    { id: 'in', z: 'tab', type: 'http in', url: '/pay', method: 'post', x: 1, y: 1, wires: [['carry']] },
    {
      id: 'carry',
      z: 'tab',
      type: 'function',
      func: 'msg.order = msg.payload.order; return msg;',
      outputs: 1,
      libs: [],
      x: 1,
      y: 1,
      wires: [['sale', 'answer']],
    },
    { id: 'answer', z: 'tab', type: 'http response', statusCode: '202', x: 1, y: 1, wires: [] },
    {
      id: 'sale',
      z: 'tab',
      type: 'payment-sale',
      terminal: 'terminal',
      busyWait: 60,
      x: 1,
      y: 1,
      wires: [['done'], ['not-done'], ['attention']],
    },
    ...output('done', 'done'),
    ...output('not-done', 'not-done'),
    ...output('attention', 'needs-attention'),
    {
      id: 'collect',
      z: 'tab',
      type: 'http request',
      method: 'POST',
      ret: 'txt',
      url: collector,
      x: 1,
      y: 1,
      wires: [[]],
    },
  ];
}
