import type { ResultPayload } from '../../src/core/delivery/payload.js';
import type { RunningNodeRed } from '../harness/node-red.js';
import type { Service } from './flow.js';

/**
 * `POST /pay` pays, and is answered with the result, or with the error as Catch hears it. What has a result is printed:
 * `over <operationId>`.
 */
export function webFlow({ baseUrl, statusUrl }: Service): object[] {
  const onTab = { z: 'tab', x: 1, y: 1 };
  const refuse = 'return { ...msg, statusCode: 409, payload: { code: msg.error.code, message: msg.error.message } };';
  const say = 'node.log("over " + msg.payload.operationId);';
  return [
    { id: 'tab', type: 'tab', label: 'test' },
    {
      id: 'environment',
      type: 'payment-environment',
      kind: 'demo',
      baseUrl,
      statusUrl,
      group: 'B',
      currency: 'EUR',
      requestsPerSecond: 100,
    },
    {
      id: 'terminal',
      type: 'payment-terminal',
      environment: 'environment',
      serialNumber: '10000001',
      terminalType: 'SIMULATEDT1',
    },
    { id: 'in', ...onTab, type: 'http in', url: '/pay', method: 'post', wires: [['sale']] },
    {
      id: 'sale',
      ...onTab,
      type: 'payment-sale',
      terminal: 'terminal',
      busyWait: 60,
      wires: [['answer'], ['answer'], ['answer']],
    },
    { id: 'answer', ...onTab, type: 'http response', wires: [] },
    { id: 'catch', ...onTab, type: 'catch', scope: null, wires: [['refuse']] },
    { id: 'refuse', ...onTab, type: 'function', func: refuse, outputs: 1, libs: [], wires: [['answer']] },
    { id: 'results', ...onTab, type: 'payment-callback-in', environment: 'environment', emit: 'all', wires: [['say']] },
    { id: 'say', ...onTab, type: 'function', func: say, outputs: 1, libs: [], wires: [] },
  ];
}

export async function pay(nodeRed: RunningNodeRed, body: object): Promise<ResultPayload & { code?: string }> {
  const answer = await fetch(`${nodeRed.url}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as ResultPayload & { code?: string };
}
