import type { NodeAPI } from 'node-red';
import form from './refund.form.js';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { originalOf, requiredMoneyAbout } from './shared/follow-up.js';
import { requiredMoney } from './shared/money-in.js';
import { guardOriginal } from './shared/original.js';
import { busyPolicy, paymentOf, submitOnTerminal } from './shared/terminal-request.js';
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
  const request = { operation: 'refund', ...paymentOf(values, money), originalTransactionId: original.id };
  return submitOnTerminal(context, request, busyPolicy(values));
}

async function unlinked(context: ActionContext): Promise<string> {
  const { values, access } = context;
  const request = { operation: 'refund', ...paymentOf(values, requiredMoney(values, access.settings.currency)) };
  return submitOnTerminal(context, request, busyPolicy(values));
}
