import type { NodeAPI } from 'node-red';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { referenceOf, requiredOriginal, wordOf } from './shared/follow-up.js';
import { busyPolicy, metadataOf } from './shared/terminal-request.js';
import { reading } from './shared/values.js';
import form from './token.form.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit({ values, access, origin, terminal }: ActionContext): Promise<string> {
  if (wordOf(values, 'operation') === 'fetch') {
    const body = { transactionID: requiredOriginal(values) };
    return (await access.engine()).submitBackOffice({ operation: 'token', body, ...referenceOf(values) }, origin);
  }
  const request = {
    operation: 'tokenizeCard',
    ...(await terminal()),
    merchantAuth: reading(values, 'merchantAuth').value,
    metadata: metadataOf(values),
  };
  return (await access.engine()).submit({ request: request as never, policies: busyPolicy(values), origin });
}
