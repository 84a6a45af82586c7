import type { NodeAPI } from 'node-red';
import { InputError } from '../core/errors.js';
import type { Policies } from '../core/operation.js';
import form from './sale.form.js';
import { type ActionContext, registerAction } from './shared/action-node.js';
import type { Readings } from './shared/read.js';
import {
  billingOf,
  cardOptions,
  metadataOf,
  moneyOf,
  policiesOf,
  remittanceOf,
  tipOf,
} from './shared/terminal-request.js';
import { reading, textOf } from './shared/values.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit({ values, access, origin, terminal }: ActionContext): Promise<string> {
  const operation = String(reading(values, 'operation').value);
  const tipConfiguration = tipConfigurationOf(values, operation, access.settings.currency);
  const request = {
    operation,
    ...(await terminal()),
    ...moneyOf(values, access.settings.currency),
    customerReference: textOf(reading(values, 'customerReference')),
    ...cardOptions(values),
    billing: billingOf(values),
    moneyRemittanceOptions: remittanceOf(values),
    merchantAuth: reading(values, 'merchantAuth').value,
    tipConfiguration,
    metadata: metadataOf(values),
  };
  const policies: Policies = policiesOf(values);
  const engine = await access.engine();
  return engine.submit({ request: request as never, policies, origin });
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
