import { InputError } from '../../core/base/errors.js';
import type { Readings } from './reading.js';

/** The fields of a form that fill a field of the service, where the names differ. */
const FILLED_FROM: ReadonlyMap<string, readonly string[]> = new Map([
  ['amount', ['amount', 'tip']],
  ['capturedAmount', ['amount']],
  ['increaseAmount', ['amount']],
  ['tipAmount', ['tip']],
  ['originalGuid', ['original']],
  ['originalTransactionId', ['original']],
  ['transactionID', ['original']],
  ['transactionReference', ['reference']],
  ['messageReasonCode', ['reason']],
  ['billing.zipCode', ['billingZip']],
  ['billing.address', ['billingAddress']],
  ['moneyRemittanceOptions.fullName', ['remittanceName']],
  ['moneyRemittanceOptions.countryCode', ['remittanceCountry']],
  ['tipConfiguration.baseAmount', ['tipBase']],
]);

const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'capturedAmount', 'increaseAmount', 'tipAmount']);

/** Renames an error about a field of the service after the value that filled it: `msg.payload.amount` for `amount`. */
export function namedBySource(error: unknown, values: Readings): unknown {
  if (!(error instanceof InputError)) return error;
  const source = sourceOf(error.field, values);
  if (source === undefined || source === error.field) return error;
  if (!AMOUNTS.has(error.field)) return error.named(source);
  // The request holds a converted value: the error shows it as its author gave it.
  const given = Object.values(values).find((reading) => reading.source === source);
  return new InputError(source, error.expected, given?.value);
}

function sourceOf(field: string, values: Readings): string | undefined {
  for (const name of FILLED_FROM.get(field) ?? []) {
    const source = values[name]?.source;
    if (source !== undefined) return source;
  }
  // `merchantAuth[0].mid` is a part of one form field; `metadata.metadata1` has a form field of its own.
  for (const part of [field, field.slice(field.lastIndexOf('.') + 1)]) {
    const [name = ''] = part.split(/[.[]/, 1);
    // A name of the prototype of every object has no source.
    const source = values[name]?.source;
    if (source !== undefined) return source + part.slice(name.length);
  }
  return undefined;
}
