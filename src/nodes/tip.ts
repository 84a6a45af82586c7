import type { NodeAPI } from 'node-red';
import { InputError } from '../core/base/errors.js';
import { registerAction } from './action/action-node.js';
import { major } from './input/amount.js';
import { submitToBackOffice } from './input/back-office-request.js';
import type { ActionContext } from './input/context.js';
import { flagOf, reading } from './input/field-values.js';
import { originalOf, requiredMoneyAbout } from './input/original.js';
import { hadTipScreen, refuseCanadianDebit } from './input/original-checks.js';
import form from './tip.form.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit(context: ActionContext): Promise<string> {
  const { values, environment } = context;
  const original = await originalOf(context);
  const { id: transactionID } = original;
  const money = requiredMoneyAbout(original, context, { field: 'tip' });
  await refuseCanadianDebit(context, original, 'tip');
  const engine = await environment.engine();
  if (flagOf(reading(values, 'checkOriginal')) !== false) {
    const [sale] = await engine.find({ transactionId: transactionID }, 1);
    if (hadTipScreen(sale)) {
      throw new InputError(money.source, 'no tip: the cardholder has chosen one on the tip screen', major(money));
    }
  }
  const body = { transactionID, amount: major(money), currency: money.currency };
  return submitToBackOffice(context, { operation: 'tip-adjustment', body, ...original.chain });
}
