import assert from 'node:assert/strict';
import { polled } from '../harness/polled.js';
import type { Flow, Service } from './flow.js';

/** Sells for 10.00. Resolves with the operation's id once its result is polled for. */
export async function begun(service: Service, flow: Flow): Promise<string> {
  const isPolled = polled(service.simulator);
  flow.send({ payload: { amount: '10.00' } });
  await isPolled;
  const [record] = await (await flow.environment().engine()).open();
  return record?.operationId ?? assert.fail('nothing is open');
}
