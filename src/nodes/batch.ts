import type { NodeAPI } from 'node-red';
import { InputError } from '../core/base/errors.js';
import { registerAction } from './action/action-node.js';
import form from './batch.form.js';
import type { ActionContext } from './input/context.js';
import { reading, textOf, wordOf } from './input/field-values.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit({ values, environment, origin, terminal }: ActionContext): Promise<string> {
  const { serial_number: serialNumber, terminal_type: deviceType } = (await terminal()).address;
  const batchNumber = textOf(reading(values, 'batchNumber'));
  const engine = await environment.engine();
  if (wordOf(values, 'operation') === 'close') {
    const body = { serialNumber, deviceType, ...(batchNumber === undefined ? {} : { batchNumber }) };
    return engine.submitBackOffice({ operation: 'batch/close', body }, origin);
  }
  if (batchNumber === undefined) {
    throw new InputError(reading(values, 'batchNumber').source, 'the number of a batch', undefined);
  }
  const body = { serialNumber, deviceType, batchNumber };
  if (wordOf(values, 'operation') === 'summary')
    return engine.submitBackOffice({ operation: 'batch/summary', body }, origin);
  const customerReference = reading(values, 'customerReference');
  const isObject = typeof customerReference.value === 'object';
  const filter = {
    rrn: textOf(reading(values, 'rrn')),
    customerReference: isObject ? (customerReference.value as Record<string, unknown>) : textOf(customerReference),
  };
  return engine.submitBackOffice({ operation: 'batch/detail', body: { ...body, ...filter } }, origin);
}
