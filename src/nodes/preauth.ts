import type { NodeAPI } from 'node-red';
import { registerAction } from './action/action-node.js';
import { major, requiredMoney } from './input/amount.js';
import { submitToBackOffice } from './input/back-office-request.js';
import type { ActionContext } from './input/context.js';
import { reading, textOf, wordOf } from './input/field-values.js';
import { moneyAbout, type Original, originalOf, requiredMoneyAbout } from './input/original.js';
import { guardCapture, refuseCanadianDebit } from './input/original-checks.js';
import type { Readings } from './input/reading.js';
import { billingOf, cardOptions, paymentOf, policiesOf, submitOnTerminal } from './input/terminal-request.js';
import form from './preauth.form.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

function submit(context: ActionContext): Promise<string> {
  switch (wordOf(context.values, 'operation')) {
    case 'increase':
      return adjust(context, {});
    case 'decrease':
      return adjust(context, { subtract: '1' });
    case 'capture':
      return capture(context);
    case 'release':
      return release(context);
    default:
      return create(context);
  }
}

async function create(context: ActionContext): Promise<string> {
  const { values, environment } = context;
  const payment = paymentOf(values, requiredMoney(values, environment.settings.currency));
  return submitOnTerminal(
    context,
    { operation: 'preAuthorization', ...payment, ...cardOptions(values), billing: billingOf(values) },
    policiesOf(values),
  );
}

async function adjust(context: ActionContext, more: { subtract?: '1' }): Promise<string> {
  const { values } = context;
  const hold = await originalOf(context);
  const money = requiredMoneyAbout(hold, context, {});
  const body = { ...aboutHold(hold, values), increaseAmount: major(money), currency: money.currency, ...more };
  await refuseCanadianDebit(context, hold, 'adjustment');
  return submitToBackOffice(context, { operation: 'preauthorization/increase', body, ...hold.chain });
}

async function capture(context: ActionContext): Promise<string> {
  const { values } = context;
  const hold = await originalOf(context);
  const money = requiredMoneyAbout(hold, context, { part: 'capturable' });
  const { currency } = money;
  const tip = moneyAbout({ ...hold, currency }, context, { field: 'tip' });
  const body = {
    ...aboutHold(hold, values),
    capturedAmount: major(money),
    currency,
    ...(tip === undefined ? {} : { tipAmount: major(tip) }),
  };
  guardCapture(hold, values, money);
  return submitToBackOffice(context, { operation: 'preauthorization/capture', body, ...hold.chain });
}

async function release(context: ActionContext): Promise<string> {
  const { id: originalGuid, chain } = await originalOf(context);
  return submitToBackOffice(context, { operation: 'reversal', body: { originalGuid }, ...chain });
}

function aboutHold({ id: originalGuid }: Original, values: Readings) {
  return {
    originalGuid,
    customerReference: textOf(reading(values, 'customerReference')),
    merchantAuth: reading(values, 'merchantAuth').value,
  };
}
