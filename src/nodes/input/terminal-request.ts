import type { Draft } from '../../core/api/schema/check.js';
import type { TerminalAddress } from '../../core/api/schema/fields.js';
import type { TransactionOrder } from '../../core/api/schema/transaction-request.js';
import { toMinorDigits } from '../../core/base/money.js';
import { changed } from '../../core/base/objects.js';
import type { Policies, RefundLimited } from '../../core/operation/order.js';
import { loadCore } from '../runtime/load.js';
import { type Money, requiredMoney } from './amount.js';
import type { ActionContext } from './context.js';
import { filled, flagOf, integersOf, minorDigits, reading, textOf } from './field-values.js';
import type { Readings } from './reading.js';

/** Parts of the body of `POST /transactions`, from the groups of fields that its nodes share. Undefined: not sent. */

/** The body without the terminal. */
type TerminalRequest = Omit<Draft<TransactionOrder>, keyof TerminalAddress>;

export type RequestPart = Partial<Omit<TerminalRequest, 'operation'>>;

/** What every payment has: an amount, the merchant account, and the flow's own data. */
export function paymentOf(values: Readings, { minor, currency }: Money): RequestPart {
  return {
    amount: toMinorDigits(minor),
    currency,
    customerReference: textOf(reading(values, 'customerReference')),
    merchantAuth: reading(values, 'merchantAuth').value,
    metadata: metadataOf(values),
  };
}

export function cardOptions(values: Readings): RequestPart {
  const signatureBypass = flagOf(reading(values, 'bypassSignature')) === true;
  const pinBypass = flagOf(reading(values, 'bypassPin')) === true;
  return {
    duplicate_check: flagOf(reading(values, 'duplicateCheck')) === false ? false : undefined,
    bypassOptions: signatureBypass || pinBypass ? { signatureBypass, pinBypass } : undefined,
    tokenize: flagOf(reading(values, 'tokenize')) === true ? true : undefined,
  };
}

/** Address check. */
export function billingOf(values: Readings): RequestPart['billing'] {
  return filled({ zipCode: textOf(reading(values, 'billingZip')), address: textOf(reading(values, 'billingAddress')) });
}

export function remittanceOf(values: Readings): RequestPart['moneyRemittanceOptions'] {
  const countryCode = textOf(reading(values, 'remittanceCountry'));
  return filled({ fullName: textOf(reading(values, 'remittanceName')), countryCode });
}

export function metadataOf(values: Readings): RequestPart['metadata'] {
  return filled({
    metadata1: textOf(reading(values, 'metadata1')),
    metadata2: textOf(reading(values, 'metadata2')),
    metadata3: textOf(reading(values, 'metadata3')),
    metadata4: textOf(reading(values, 'metadata4')),
    metadata5: textOf(reading(values, 'metadata5')),
  });
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

/** For operations without other policies: only how long to wait for a busy terminal. */
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

/** @throws InputError for what {@link submitOnTerminal} would refuse */
export async function checkOnTerminal({ terminal }: ActionContext, request: TerminalRequest): Promise<void> {
  const { address } = await terminal();
  loadCore().checkTransactionOrder({ ...request, ...address });
}

/** Submits an operation on the terminal of the message. Resolves with its id. */
export async function submitOnTerminal(
  { environment, origin, terminal }: ActionContext,
  request: TerminalRequest,
  policies: Policies,
  limit: RefundLimited = {},
): Promise<string> {
  const { address, exclusive } = await terminal();
  const { serial_number, terminal_type } = address;
  const order = {
    request: { serial_number, terminal_type, ...request },
    policies: changed(policies, { exclusiveTerminal: exclusive }),
    origin,
    ...limit,
  };
  return (await environment.engine()).submit(order);
}
