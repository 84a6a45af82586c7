import type { NodeAPI } from 'node-red';
import { registerAction } from './action/action-node.js';
import { submitToBackOffice } from './input/back-office-request.js';
import type { ActionContext } from './input/context.js';
import { reading, wordOf } from './input/field-values.js';
import { originalOf } from './input/original.js';
import { busyPolicy, metadataOf, submitOnTerminal } from './input/terminal-request.js';
import form from './token.form.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit(context: ActionContext): Promise<string> {
  const { values } = context;
  if (wordOf(values, 'operation') === 'fetch') {
    const { id: transactionID, chain } = await originalOf(context);
    return submitToBackOffice(context, { operation: 'token', body: { transactionID }, ...chain });
  }
  const merchantAuth = reading(values, 'merchantAuth').value;
  const metadata = metadataOf(values);
  return submitOnTerminal(context, { operation: 'tokenizeCard', merchantAuth, metadata }, busyPolicy(values));
}
