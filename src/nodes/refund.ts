import type { NodeAPI } from 'node-red';
import { toMinorDigits } from '../core/money.js';
import form from './refund.form.js';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { requiredMoney, requiredOriginal, wordOf } from './shared/follow-up.js';
import { guardOriginal } from './shared/original.js';
import { busyPolicy, metadataOf } from './shared/terminal-request.js';
import { reading, textOf } from './shared/values.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit({ values, access, origin, terminal }: ActionContext): Promise<string> {
  const isLinked = wordOf(values, 'operation') === 'linked';
  const money = requiredMoney(values, access.settings.currency);
  const request = {
    operation: 'refund',
    ...(await terminal()),
    amount: toMinorDigits(money.minor),
    currency: money.currency,
    originalTransactionId: isLinked ? requiredOriginal(values) : undefined,
    customerReference: textOf(reading(values, 'customerReference')),
    merchantAuth: reading(values, 'merchantAuth').value,
    metadata: metadataOf(values),
  };
  const engine = await access.engine();
  if (isLinked) await guardOriginal(engine, values, money, 'left');
  return engine.submit({ request: request as never, policies: busyPolicy(values), origin });
}
