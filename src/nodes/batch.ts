import type { NodeAPI } from 'node-red';
import { InputError } from '../core/base/errors.js';
import { registerAction } from './action/action-node.js';
import form from './batch.form.js';
import { submitToBackOffice } from './input/back-office-request.js';
import type { ActionContext } from './input/context.js';
import { reading, textOf, wordOf } from './input/field-values.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit(context: ActionContext): Promise<string> {
  const { values, terminal } = context;
  const { serial_number: serialNumber, terminal_type: deviceType } = (await terminal()).address;
  const batchNumber = textOf(reading(values, 'batchNumber'));
  if (wordOf(values, 'operation') === 'close') {
    const body = { serialNumber, deviceType, ...(batchNumber === undefined ? {} : { batchNumber }) };
    return submitToBackOffice(context, { operation: 'batch/close', body });
  }
  if (batchNumber === undefined) {
    throw new InputError(reading(values, 'batchNumber').source, 'the number of a batch', undefined);
  }
  const body = { serialNumber, deviceType, batchNumber };
  if (wordOf(values, 'operation') === 'summary')
    return submitToBackOffice(context, { operation: 'batch/summary', body });
  const customerReference = reading(values, 'customerReference');
  const isObject = typeof customerReference.value === 'object';
  const filter = {
    rrn: textOf(reading(values, 'rrn')),
    customerReference: isObject ? (customerReference.value as Record<string, unknown>) : textOf(customerReference),
  };
  return submitToBackOffice(context, { operation: 'batch/detail', body: { ...body, ...filter } });
}
