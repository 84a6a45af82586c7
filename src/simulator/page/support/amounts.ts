import { decimalsOf, toMajor } from '../../model/units.js';
import { language } from './texts.js';

/** Formats an amount for people. `minor` in minor units. */
export function money(minor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const format = new Intl.NumberFormat(language(), {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  // A decimal string keeps the amount exact, whatever its size.
  return format.format(toMajor(minor, currency) as `${number}`);
}

/** Formats epoch ms as a time of day. */
export function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString(language(), { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}
