import { InputError } from '../../core/errors.js';
import type { Policies } from '../../core/operation.js';
import type { Readings } from './read.js';
import type { AcquirerGroup } from './settings.js';
import { filled, flagOf, integersOf, minorDigits, reading, textOf } from './values.js';

/** Parts of the body of `POST /transactions`, from the groups of fields that its nodes share. Undefined: not sent. */

/** `amount` and `currency`; the environment's currency where the message names none. */
export function moneyOf(values: Readings, standard: string): { amount?: string; currency?: string } {
  const currency = currencyOf(values, standard);
  const unit = reading(values, 'unit').value === 'minor' ? 'minor' : 'major';
  const amount = reading(values, 'amount');
  if (amount.value === undefined) throw new InputError(amount.source, 'a decimal such as 12.50', undefined);
  return { amount: minorDigits(amount, currency, unit), currency };
}

function currencyOf(values: Readings, standard: string): string {
  const asked = reading(values, 'currency');
  const currency = textOf(asked) ?? standard;
  if (currency !== '') return currency;
  throw new InputError(asked.source, 'an ISO 4217 currency code such as EUR (the environment has none)', undefined);
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

/** What only some acquirers offer. @throws InputError where the environment's does not */
export function groupOptions(values: Readings, group: AcquirerGroup): object {
  const zipCode = textOf(reading(values, 'billingZip'));
  const address = textOf(reading(values, 'billingAddress'));
  const fullName = textOf(reading(values, 'remittanceName'));
  const countryCode = textOf(reading(values, 'remittanceCountry'));
  const billing = filled({ zipCode, address });
  const moneyRemittanceOptions = filled({ fullName, countryCode });
  if (billing !== undefined && group !== 'B') {
    throw new InputError('billingZip', `nothing: acquirer group ${group} has no address check`, zipCode ?? address);
  }
  if (moneyRemittanceOptions !== undefined && group !== 'E') {
    const given = fullName ?? countryCode;
    throw new InputError('remittanceName', `nothing: acquirer group ${group} has no money remittance`, given);
  }
  return { billing, moneyRemittanceOptions, merchantAuth: reading(values, 'merchantAuth').value };
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
      baseAmount: minorDigits(reading(values, 'tipBase'), currencyOf(values, standard), unit),
      headerName: textOf(reading(values, 'tipHeader')),
      footer: textOf(reading(values, 'tipFooter')),
      enterAmountEnabled: flagOf(reading(values, 'tipEnterAmount')),
      skipEnabled: flagOf(reading(values, 'tipSkip')),
    }),
  };
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
