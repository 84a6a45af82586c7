import type { NodeAPI } from 'node-red';
import type { RefundLimited } from '../core/operation/order.js';
import { registerAction } from './action/action-node.js';
import { requiredMoney } from './input/amount.js';
import type { ActionContext } from './input/context.js';
import { wordOf } from './input/field-values.js';
import { originalOf, requiredMoneyAbout } from './input/original.js';
import { refundLimit } from './input/original-checks.js';
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
  const payment = { ...paymentOf(values, money), originalTransactionId: original.id };
  return onTerminal(context, payment, refundLimit(values, money));
}

async function unlinked(context: ActionContext): Promise<string> {
  const { values, environment } = context;
  return onTerminal(context, paymentOf(values, requiredMoney(values, environment.settings.currency)));
}

function onTerminal(context: ActionContext, payment: RequestPart, limit?: RefundLimited): Promise<string> {
  const { values } = context;
  const request = { operation: 'refund' as const, ...payment, ...cardOptions(values) };
  return submitOnTerminal(context, request, busyPolicy(values), limit);
}
