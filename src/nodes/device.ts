import type { NodeAPI } from 'node-red';
import type { CommandSettings, DeviceCommand } from '../core/api/device-settings.js';
import { AnswerLostError, InputError } from '../core/base/errors.js';
import { withoutAbsent } from '../core/base/objects.js';
import { withoutCardNumbers } from '../core/base/privacy/redact.js';
import { type Answer, registerAction } from './action/action-node.js';
import { answered, failureIn } from './action/command-answer.js';
import form from './device.form.js';
import type { ActionContext } from './input/context.js';
import { flagOf, reading, textOf, wordOf } from './input/field-values.js';
import { busyPolicy, submitOnTerminal } from './input/terminal-request.js';
import { loadCore } from './runtime/load.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

function submit(context: ActionContext): Promise<string | Answer> {
  const operation = wordOf(context.values, 'operation');
  switch (operation) {
    case 'list':
      return list(context);
    case 'printReceipt':
      return submitOnTerminal(
        context,
        { operation: 'printReceipt', ...receiptOf(context) },
        busyPolicy(context.values),
      );
    case 'cardPan':
      return submitOnTerminal(context, { operation: 'cardPan' }, busyPolicy(context.values));
    case 'pingDevice':
      return atOnce(context, {
        operation: 'pingDevice',
        returnDeviceInfo: flagOf(reading(context.values, 'returnDeviceInfo')),
      });
    case 'stopCurrentTransaction':
      return atOnce(context, { operation: 'stopCurrentTransaction' });
    default:
      return changeSettings(context, operation);
  }
}

async function list({ environment, signal }: ActionContext): Promise<Answer> {
  const { retried, systemClock } = loadCore();
  const { client } = await environment.engine();
  const listed = await retried(systemClock, signal, () => client.devices.list({ signal }));
  // Nothing can be sent to the virtual terminal.
  const terminals = listed.filter(({ virtual }) => !virtual).map(({ virtual: _, ...terminal }) => terminal);
  return { exit: 'done', payload: { operation: 'list', outcome: 'completed', moneyMoved: 'no', terminals } };
}

/** What a terminal does at once, beside whatever else it is doing. */
async function atOnce(
  { environment, terminal, signal }: ActionContext,
  command: { operation: 'pingDevice' | 'stopCurrentTransaction'; returnDeviceInfo?: boolean },
): Promise<Answer> {
  const { commandTerminal, systemClock } = loadCore();
  const { address } = await terminal();
  const { client } = await environment.engine();
  return answered(command.operation, address, async () => {
    const reply = await commandTerminal(client, systemClock, { ...command, ...address }, signal);
    if (reply === undefined) throw new AnswerLostError('the terminal did not say within ten seconds whether it did it');
    const { isDone, device, result: { raw } = {} } = reply;
    const said = withoutCardNumbers(withoutAbsent({ device, result: raw }));
    return isDone ? said : { ...said, error: failureIn(raw) };
  });
}

async function changeSettings(
  { values, environment, terminal, signal }: ActionContext,
  operation: string,
): Promise<Answer> {
  const { address } = await terminal();
  const { client } = await environment.engine();
  const settings = reading(values, 'settings').value ?? {};
  return answered(operation, address, async () => {
    const name = operation as DeviceCommand;
    await client.commands.run(address, name, settings as CommandSettings[DeviceCommand], { signal });
    return {};
  });
}

function receiptOf({ values }: ActionContext): { receipt: string } {
  const field = reading(values, 'receipt');
  const receipt = textOf(field);
  if (receipt === undefined)
    throw new InputError(field.source, 'printable HTML, or the address of a receipt', undefined);
  return { receipt };
}
