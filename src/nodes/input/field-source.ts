import { InputError } from '../../core/base/errors.js';
import type { Readings } from './read-fields.js';

/** Fields of the service, and the fields of a form that they are filled from, where the names differ. */
const FILLED_FROM: Readonly<Record<string, readonly string[]>> = {
  amount: ['amount', 'tip'],
  capturedAmount: ['amount'],
  increaseAmount: ['amount'],
  tipAmount: ['tip'],
  originalGuid: ['original'],
  originalTransactionId: ['original'],
  transactionID: ['original'],
  transactionReference: ['reference'],
  messageReasonCode: ['reason'],
  'billing.zipCode': ['billingZip'],
  'billing.address': ['billingAddress'],
  'moneyRemittanceOptions.fullName': ['remittanceName'],
  'moneyRemittanceOptions.countryCode': ['remittanceCountry'],
  'tipConfiguration.baseAmount': ['tipBase'],
};

const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'capturedAmount', 'increaseAmount', 'tipAmount']);

/** An error of a field of the service, as one of what filled it: `msg.payload.amount` instead of `amount`. */
export function namedBySource(error: unknown, values: Readings): unknown {
  if (!(error instanceof InputError)) return error;
  const source = sourceOf(error.field, values);
  if (source === undefined || source === error.field) return error;
  if (!AMOUNTS.has(error.field)) return error.named(source);
  // It was converted for the request: its author knows it as it was given.
  const given = Object.values(values).find((reading) => reading.source === source);
  return new InputError(source, error.expected, given?.value);
}

function sourceOf(field: string, values: Readings): string | undefined {
  for (const name of FILLED_FROM[field] ?? []) if (values[name] !== undefined) return values[name].source;
  // `merchantAuth[0].mid` is a part of one field, `metadata.metadata1` is one of many.
  for (const part of [field, field.slice(field.lastIndexOf('.') + 1)]) {
    const [name = ''] = part.split(/[.[]/, 1);
    if (values[name] !== undefined) return values[name].source + part.slice(name.length);
  }
  return undefined;
}
