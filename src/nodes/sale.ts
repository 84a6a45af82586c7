import type { NodeAPI } from 'node-red';
import { InputError } from '../core/errors.js';
import form from './sale.form.js';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { requiredMoney } from './shared/money-in.js';
import type { Readings } from './shared/read.js';
import {
  billingOf,
  cardOptions,
  paymentOf,
  policiesOf,
  remittanceOf,
  submitOnTerminal,
  tipOf,
} from './shared/terminal-request.js';
import { wordOf } from './shared/values.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit(context: ActionContext): Promise<string> {
  const { values, access } = context;
  const { currency } = access.settings;
  const operation = wordOf(values, 'operation');
  const request = {
    operation,
    ...paymentOf(values, requiredMoney(values, currency)),
    ...cardOptions(values),
    billing: billingOf(values),
    moneyRemittanceOptions: remittanceOf(values),
    tipConfiguration: tipConfigurationOf(values, operation, currency),
  };
  return submitOnTerminal(context, request, policiesOf(values));
}

function tipConfigurationOf(values: Readings, operation: string, currency: string): object | undefined {
  const tip = tipOf(values, currency);
  if (tip !== undefined && operation === 'saleAndTokenizeCard') {
    throw new InputError(
      'tipPercentages',
      'nothing: a sale that stores the card has no tip screen',
      tip.tipPercentages,
    );
  }
  return tip;
}
