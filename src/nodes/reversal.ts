import type { NodeAPI } from 'node-red';
import { toMinorDigits } from '../core/base/money.js';
import { registerAction } from './action/action-node.js';
import { type Money, major } from './input/amount.js';
import type { ActionContext } from './input/context.js';
import type { Readings } from './input/field-reader.js';
import { choiceOf, flagOf, reading, textOf, wordOf } from './input/field-values.js';
import { moneyAbout, type Original, originalOf, partOf, requiredMoneyAbout } from './input/original.js';
import { refuseCanadianDebit } from './input/original-checks.js';
import { busyPolicy, submitOnTerminal } from './input/terminal-request.js';
import form from './reversal.form.js';

const ON_TERMINAL = ['saleReversal', 'refundReversal', 'preAuthorizationReversal', 'moToReversal'] as const;

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit(context: ActionContext): Promise<string> {
  const original = await originalOf(context);
  await refuseCanadianDebit(context, original, 'reversal');
  return wordOf(context.values, 'where') === 'gateway' ? atGateway(context, original) : onTerminal(context, original);
}

async function atGateway(context: ActionContext, original: Original): Promise<string> {
  const { values, environment, origin } = context;
  const part = isPart(values) ? requiredMoneyAbout(original, context, { part: 'total' }) : undefined;
  const body = {
    originalGuid: original.id,
    ...(part === undefined ? {} : { amount: major(part), currency: part.currency }),
    messageReasonCode: textOf(reading(values, 'reason')),
    timestamp: textOf(reading(values, 'timestamp')),
  };
  return (await environment.engine()).submitBackOffice({ operation: 'reversal', body, ...original.chain }, origin);
}

async function onTerminal(context: ActionContext, original: Original): Promise<string> {
  const { values } = context;
  const operation = choiceOf(values, 'operation', ON_TERMINAL);
  // A release is always full: the service would read an amount as a partial release.
  const money = operation === 'preAuthorizationReversal' ? undefined : amountOnTerminal(context, original);
  const request = {
    operation,
    originalTransactionId: original.id,
    ...(money === undefined ? {} : { amount: toMinorDigits(money.minor), currency: money.currency }),
    cardPresent: flagOf(reading(values, 'cardPresent')) === true ? true : undefined,
  };
  return submitOnTerminal(context, request, busyPolicy(values));
}

/** The terminal needs the amount of a full reversal too: the journal's, else the message's. */
function amountOnTerminal(context: ActionContext, original: Original): Money | undefined {
  const { values } = context;
  const whole = isPart(values) ? undefined : partOf(original, 'total', reading(values, 'original').source);
  return whole ?? moneyAbout(original, context, { part: 'total' });
}

function isPart(values: Readings): boolean {
  return wordOf(values, 'whole') === 'part';
}
