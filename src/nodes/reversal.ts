import type { NodeAPI } from 'node-red';
import { toMinorDigits } from '../core/money.js';
import form from './reversal.form.js';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { refuseCanadianDebit } from './shared/canadian-debit.js';
import { major, moneyIn, referenceOf, requiredMoney, requiredOriginal, wordOf } from './shared/follow-up.js';
import { busyPolicy, submitOnTerminal } from './shared/terminal-request.js';
import { flagOf, reading, textOf } from './shared/values.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, {
    form,
    submit: async (context) => {
      await refuseCanadianDebit(context, 'reversal');
      return wordOf(context.values, 'where') === 'gateway' ? atGateway(context) : onTerminal(context);
    },
  });
}

async function atGateway({ values, access, origin }: ActionContext): Promise<string> {
  const isPart = wordOf(values, 'whole') === 'part';
  const part = isPart ? requiredMoney(values, access.settings.currency) : undefined;
  const body = {
    originalGuid: requiredOriginal(values),
    ...(part === undefined ? {} : { amount: major(part), currency: part.currency }),
    messageReasonCode: textOf(reading(values, 'reason')),
  };
  return (await access.engine()).submitBackOffice({ operation: 'reversal', body, ...referenceOf(values) }, origin);
}

async function onTerminal(context: ActionContext): Promise<string> {
  const { values, access } = context;
  const operation = wordOf(values, 'operation');
  // A hold is released as a whole: an amount would be taken for a part of it.
  const money = operation === 'preAuthorizationReversal' ? undefined : moneyIn(values, access.settings.currency);
  const request = {
    operation,
    originalTransactionId: requiredOriginal(values),
    ...(money === undefined ? {} : { amount: toMinorDigits(money.minor), currency: money.currency }),
    cardPresent: flagOf(reading(values, 'cardPresent')) === true ? true : undefined,
  };
  return submitOnTerminal(context, request, busyPolicy(values));
}
