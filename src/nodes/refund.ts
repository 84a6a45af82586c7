import type { NodeAPI } from 'node-red';
import form from './refund.form.js';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { originalOf, requiredMoneyAbout } from './shared/follow-up.js';
import { requiredMoney } from './shared/money-in.js';
import { guardOriginal } from './shared/original.js';
import { busyPolicy, cardOptions, paymentOf, submitOnTerminal } from './shared/terminal-request.js';
import { wordOf } from './shared/values.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

function submit(context: ActionContext): Promise<string> {
  return wordOf(context.values, 'operation') === 'linked' ? linked(context) : unlinked(context);
}

async function linked(context: ActionContext): Promise<string> {
  const { values } = context;
  const original = await originalOf(context);
  const money = requiredMoneyAbout(original, context, { part: 'left' });
  guardOriginal(original, values, money, 'left');
  return onTerminal(context, { ...paymentOf(values, money), originalTransactionId: original.id });
}

async function unlinked(context: ActionContext): Promise<string> {
  const { values, access } = context;
  return onTerminal(context, paymentOf(values, requiredMoney(values, access.settings.currency)));
}

function onTerminal(context: ActionContext, payment: object): Promise<string> {
  const { values } = context;
  const request = { operation: 'refund', ...payment, ...cardOptions(values) };
  return submitOnTerminal(context, request, busyPolicy(values));
}
