import type { NodeAPI } from 'node-red';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { originalOf } from './shared/follow-up.js';
import { busyPolicy, metadataOf, submitOnTerminal } from './shared/terminal-request.js';
import { reading, wordOf } from './shared/values.js';
import form from './token.form.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit(context: ActionContext): Promise<string> {
  const { values, access, origin } = context;
  if (wordOf(values, 'operation') === 'fetch') {
    const { id: transactionID, chain } = await originalOf(context);
    const engine = await access.engine();
    return engine.submitBackOffice({ operation: 'token', body: { transactionID }, ...chain }, origin);
  }
  const merchantAuth = reading(values, 'merchantAuth').value;
  const request = { operation: 'tokenizeCard', merchantAuth, metadata: metadataOf(values) };
  return submitOnTerminal(context, request, busyPolicy(values));
}
