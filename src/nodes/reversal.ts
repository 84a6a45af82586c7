import type { NodeAPI } from 'node-red';
import { toMinorDigits } from '../core/base/money.js';
import { registerAction } from './action/action-node.js';
import { type Money, major } from './input/amount.js';
import { submitToBackOffice } from './input/back-office-request.js';
import type { ActionContext } from './input/context.js';
import { choiceOf, flagOf, reading, textOf, wordOf } from './input/field-values.js';
import { moneyAbout, type Original, originalOf, partOf, requiredMoneyAbout, withWhole } from './input/original.js';
import { refundLimit, refuseCanadianDebit } from './input/original-checks.js';
import type { Readings } from './input/reading.js';
import { busyPolicy, checkOnTerminal, submitOnTerminal } from './input/terminal-request.js';
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
  const { values } = context;
  const part = isPart(values) ? requiredMoneyAbout(original, context, { part: 'total' }) : undefined;
  const body = {
    originalGuid: original.id,
    ...(part === undefined ? {} : { amount: major(part), currency: part.currency }),
    messageReasonCode: textOf(reading(values, 'reason')),
    timestamp: textOf(reading(values, 'timestamp')),
  };
  const limit = refundLimit(values, part ?? wholeOf(values));
  return submitToBackOffice(context, { operation: 'reversal', body, ...original.chain, ...limit });
}

async function onTerminal(context: ActionContext, original: Original): Promise<string> {
  const { values } = context;
  const operation = choiceOf(values, 'operation', ON_TERMINAL);
  const cardPresent = flagOf(reading(values, 'cardPresent')) === true ? true : undefined;
  const requestOf = (money: Money | undefined) => ({
    operation,
    originalTransactionId: original.id,
    ...(money === undefined ? {} : { amount: toMinorDigits(money.minor), currency: money.currency }),
    cardPresent,
  });
  const policies = busyPolicy(values);
  // A release is always full: the service would read an amount as a partial release.
  if (operation === 'preAuthorizationReversal')
    return submitOnTerminal(context, requestOf(undefined), policies, refundLimit(values, wholeOf(values)));
  const known = knownAmount(context, original);
  if (isPart(values))
    return submitOnTerminal(context, requestOf(known), policies, refundLimit(values, known ?? wholeOf(values)));
  // The chain is asked for a request that is right in all else.
  if (known !== undefined) await checkOnTerminal(context, requestOf(known));
  const whole = requestOf((await wholeAmount(context, original)) ?? known);
  return submitOnTerminal(context, whole, policies, refundLimit(values, wholeOf(values)));
}

/** The terminal needs the amount of a full reversal too: the journal's, else the message's. */
function knownAmount(context: ActionContext, original: Original): Money | undefined {
  const { values } = context;
  const whole = isPart(values) ? undefined : partOf(original, 'total', reading(values, 'original').source);
  return whole ?? moneyAbout(original, context, { part: 'total' });
}

/** What the chain says of the whole by now. */
async function wholeAmount(context: ActionContext, original: Original): Promise<Money | undefined> {
  const current = await withWhole(original, context);
  return partOf(current, 'total', reading(context.values, 'original').source);
}

/** Where the order to reverse the whole came from: it names no amount. */
function wholeOf(values: Readings): { source: string } {
  return reading(values, 'original');
}

function isPart(values: Readings): boolean {
  return wordOf(values, 'whole') === 'part';
}
