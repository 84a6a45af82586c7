import { toMinorDigits } from '../../core/base/money.js';
import type { Policies } from '../../core/operation/order.js';
import { type Money, requiredMoney } from './amount.js';
import type { ActionContext } from './context.js';
import { filled, flagOf, integersOf, minorDigits, reading, textOf } from './field-values.js';
import type { Readings } from './read-fields.js';

/** Parts of the body of `POST /transactions`, from the groups of fields that its nodes share. Undefined: not sent. */

/** What every payment has: an amount, whose it is, what is kept with it. */
export function paymentOf(values: Readings, { minor, currency }: Money): object {
  return {
    amount: toMinorDigits(minor),
    currency,
    customerReference: textOf(reading(values, 'customerReference')),
    merchantAuth: reading(values, 'merchantAuth').value,
    metadata: metadataOf(values),
  };
}

export function cardOptions(values: Readings): object {
  const signatureBypass = flagOf(reading(values, 'bypassSignature')) === true;
  const pinBypass = flagOf(reading(values, 'bypassPin')) === true;
  return {
    duplicate_check: flagOf(reading(values, 'duplicateCheck')) === false ? false : undefined,
    bypassOptions: signatureBypass || pinBypass ? { signatureBypass, pinBypass } : undefined,
    tokenize: flagOf(reading(values, 'tokenize')) === true ? true : undefined,
  };
}

/** Address check. */
export function billingOf(values: Readings): { zipCode?: string; address?: string } | undefined {
  return filled({ zipCode: textOf(reading(values, 'billingZip')), address: textOf(reading(values, 'billingAddress')) });
}

export function remittanceOf(values: Readings): object | undefined {
  const countryCode = textOf(reading(values, 'remittanceCountry'));
  return filled({ fullName: textOf(reading(values, 'remittanceName')), countryCode });
}

export function metadataOf(values: Readings): object | undefined {
  const names = [1, 2, 3, 4, 5].map((place) => `metadata${place}`);
  return filled(Object.fromEntries(names.map((name) => [name, textOf(reading(values, name))])));
}

/** The tip screen; undefined without percentages. */
export function tipOf(values: Readings, standard: string): { tipPercentages: number[] } | undefined {
  const tipPercentages = integersOf(reading(values, 'tipPercentages'));
  if (tipPercentages === undefined) return undefined;
  const unit = reading(values, 'unit').value === 'minor' ? 'minor' : 'major';
  return {
    tipPercentages,
    ...filled({
      baseAmount: minorDigits(reading(values, 'tipBase'), requiredMoney(values, standard).currency, unit),
      headerName: textOf(reading(values, 'tipHeader')),
      footer: textOf(reading(values, 'tipFooter')),
      enterAmountEnabled: flagOf(reading(values, 'tipEnterAmount')),
      skipEnabled: flagOf(reading(values, 'tipSkip')),
    }),
  };
}

/** Of operations that nobody decides about later: only whether to wait for a busy terminal. */
export function busyPolicy(values: Readings): Policies {
  const busyWaitMs = Number(reading(values, 'busyWait').value ?? 0) * 1000;
  return { busyWaitMs, lateApproval: 'report', partialApproval: 'accept' };
}

export function policiesOf(values: Readings): Policies {
  const busyWait = Number(reading(values, 'busyWait').value ?? 0);
  const deadline = reading(values, 'deadline').value;
  return {
    busyWaitMs: busyWait * 1000,
    ...(deadline === undefined ? {} : { deadlineMs: Number(deadline) * 1000 }),
    lateApproval: reading(values, 'lateApproval').value === 'reverse' ? 'reverse' : 'report',
    partialApproval: reading(values, 'partialApproval').value === 'reverse' ? 'reverse' : 'accept',
  };
}

/** Hands an operation on the terminal of the message to the engine. Resolves with its id. */
export async function submitOnTerminal(
  { environment, origin, terminal }: ActionContext,
  request: { operation: string | undefined },
  policies: Policies,
): Promise<string> {
  const addressed = { ...request, ...(await terminal()) };
  return (await environment.engine()).submit({ request: addressed as never, policies, origin });
}
