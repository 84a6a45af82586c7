import type { NodeAPI } from 'node-red';
import { registerAction } from './action/action-node.js';
import { requiredMoney } from './input/amount.js';
import type { ActionContext } from './input/context.js';
import { wordOf } from './input/field-values.js';
import { originalOf, requiredMoneyAbout } from './input/original.js';
import { guardOriginal } from './input/original-checks.js';
import { busyPolicy, cardOptions, paymentOf, type RequestPart, submitOnTerminal } from './input/terminal-request.js';
import form from './refund.form.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

function submit(context: ActionContext): Promise<string> {
  return wordOf(context.values, 'operation') === 'linked' ? linked(context) : unlinked(context);
}

async function linked(context: ActionContext): Promise<string> {
  const { values } = context;
  const original = await originalOf(context);
  const money = requiredMoneyAbout(original, context, { part: 'refundable' });
  guardOriginal(original, values, money, 'refundable');
  return onTerminal(context, { ...paymentOf(values, money), originalTransactionId: original.id });
}

async function unlinked(context: ActionContext): Promise<string> {
  const { values, environment } = context;
  return onTerminal(context, paymentOf(values, requiredMoney(values, environment.settings.currency)));
}

function onTerminal(context: ActionContext, payment: RequestPart): Promise<string> {
  const { values } = context;
  return submitOnTerminal(context, { operation: 'refund', ...payment, ...cardOptions(values) }, busyPolicy(values));
}
