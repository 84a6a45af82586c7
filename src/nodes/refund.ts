import type { NodeAPI } from 'node-red';
import form from './refund.form.js';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { requiredMoney, requiredOriginal, wordOf } from './shared/follow-up.js';
import { guardOriginal } from './shared/original.js';
import { busyPolicy, paymentOf, submitOnTerminal } from './shared/terminal-request.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit(context: ActionContext): Promise<string> {
  const { values, access } = context;
  const { currency } = access.settings;
  const isLinked = wordOf(values, 'operation') === 'linked';
  const request = {
    operation: 'refund',
    ...paymentOf(values, currency),
    originalTransactionId: isLinked ? requiredOriginal(values) : undefined,
  };
  if (isLinked) await guardOriginal(await access.engine(), values, requiredMoney(values, currency), 'left');
  return submitOnTerminal(context, request, busyPolicy(values));
}
