import type { NodeAPI } from 'node-red';
import type { CommandSettings, DeviceCommand } from '../core/api/device-settings.js';
import { AnswerLostError, InputError } from '../core/base/errors.js';
import { type Answer, registerAction } from './action/action-node.js';
import { answered } from './action/command-answer.js';
import form from './device.form.js';
import type { ActionContext } from './input/context.js';
import { flagOf, reading, textOf, wordOf } from './input/field-values.js';
import { busyPolicy, submitOnTerminal } from './input/terminal-request.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

function submit(context: ActionContext): Promise<string | Answer> {
  const operation = wordOf(context.values, 'operation');
  switch (operation) {
    case 'list':
      return list(context);
    case 'printReceipt':
      return submitOnTerminal(context, { operation, ...receiptOf(context) }, busyPolicy(context.values));
    case 'cardPan':
      return submitOnTerminal(context, { operation }, busyPolicy(context.values));
    case 'pingDevice':
      return atOnce(context, { operation, returnDeviceInfo: flagOf(reading(context.values, 'returnDeviceInfo')) });
    case 'stopCurrentTransaction':
      return atOnce(context, { operation });
    default:
      return command(context, operation);
  }
}

async function list({ environment, signal }: ActionContext): Promise<Answer> {
  const { retried, systemClock } = await import('../core/index.js');
  const { client } = await environment.engine();
  const listed = await retried(systemClock, signal, () => client.devices.list({ signal }));
  // The virtual terminal is no target of anything.
  const terminals = listed.filter(({ virtual }) => !virtual).map(({ virtual: _, ...terminal }) => terminal);
  return { exit: 'done', payload: { operation: 'list', outcome: 'completed', moneyMoved: 'no', terminals } };
}

/** Beside whatever the terminal is doing. */
async function atOnce(
  { environment, terminal, signal }: ActionContext,
  asked: { operation: string; returnDeviceInfo?: boolean },
): Promise<Answer> {
  const { commandTerminal, systemClock } = await import('../core/index.js');
  const address = await terminal();
  const { client } = await environment.engine();
  return answered(asked.operation, address, async () => {
    const said = await commandTerminal(client, systemClock, { ...asked, ...address } as never, signal);
    if (said === undefined) throw new AnswerLostError('the terminal did not answer within ten seconds');
    return said === 'at-once' ? {} : { device: said.deviceStatus, result: said.raw };
  });
}

async function command({ values, environment, terminal, signal }: ActionContext, operation: string): Promise<Answer> {
  const address = await terminal();
  const { client } = await environment.engine();
  const settings = reading(values, 'settings').value ?? {};
  return answered(operation, address, async () => {
    const name = operation as DeviceCommand;
    await client.commands.run(address, name, settings as CommandSettings[DeviceCommand], { signal });
    return {};
  });
}

function receiptOf({ values }: ActionContext): { receipt: string } {
  const asked = reading(values, 'receipt');
  const receipt = textOf(asked);
  if (receipt === undefined)
    throw new InputError(asked.source, 'printable HTML, or the address of a receipt', undefined);
  return { receipt };
}
