import type { NodeAPI } from 'node-red';
import { InputError } from '../core/errors.js';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { refuseCanadianDebit } from './shared/canadian-debit.js';
import { major, referenceOf, requiredMoney, requiredOriginal } from './shared/follow-up.js';
import { hadTipScreen } from './shared/original.js';
import { flagOf, reading } from './shared/values.js';
import form from './tip.form.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit(context: ActionContext): Promise<string> {
  const { values, access, origin } = context;
  const money = requiredMoney(values, access.settings.currency, 'tip');
  const transactionID = requiredOriginal(values);
  await refuseCanadianDebit(context, 'tip');
  const engine = await access.engine();
  if (flagOf(reading(values, 'checkOriginal')) !== false) {
    const [sale] = await engine.find({ transactionId: transactionID }, 1);
    if (hadTipScreen(sale)) {
      throw new InputError(money.source, 'no tip: the cardholder has chosen one on the tip screen', major(money));
    }
  }
  const body = { transactionID, amount: major(money), currency: money.currency };
  return engine.submitBackOffice({ operation: 'tip-adjustment', body, ...referenceOf(values) }, origin);
}
