import type { NodeAPI } from 'node-red';
import { InputError } from '../core/base/errors.js';
import { registerAction } from './action/action-node.js';
import { requiredMoney } from './input/amount.js';
import type { ActionContext } from './input/context.js';
import { choiceOf } from './input/field-values.js';
import type { Readings } from './input/reading.js';
import {
  billingOf,
  cardOptions,
  paymentOf,
  policiesOf,
  type RequestPart,
  remittanceOf,
  submitOnTerminal,
  tipOf,
} from './input/terminal-request.js';
import form from './sale.form.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit(context: ActionContext): Promise<string> {
  const { values, environment } = context;
  const { currency } = environment.settings;
  const operation = choiceOf(values, 'operation', ['sale', 'saleAndTokenizeCard']);
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

function tipConfigurationOf(values: Readings, operation: string, currency: string): RequestPart['tipConfiguration'] {
  const tip = tipOf(values, currency);
  if (tip !== undefined && operation === 'saleAndTokenizeCard') {
    throw new InputError(
      'tipPercentages',
      'no percentages, because a sale that stores the card has no tip screen',
      tip.tipPercentages,
    );
  }
  return tip;
}
