/**
 * Conversion of amounts to and from the service's format. The simulator counts in minor units as safe integers. Its
 * reading of ISO 4217 is deliberately independent of the client's, so that each can expose errors in the other.
 */

const NO_DECIMALS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));
const THREE_DECIMALS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
const FOUR_DECIMALS = new Set(['CLF', 'UYW']);

export function decimalsOf(currency: string): number {
  if (NO_DECIMALS.has(currency)) return 0;
  if (THREE_DECIMALS.has(currency)) return 3;
  return FOUR_DECIMALS.has(currency) ? 4 : 2;
}

/** `1250` EUR is `12.50`. */
export function toMajor(minor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const sign = minor < 0 ? '-' : '';
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** `12.50` EUR is `1250`; undefined for text that is not an amount, or has too many decimals for the currency. */
export function fromMajor(text: string, currency: string): number | undefined {
  const match = /^(\d{1,13})(?:\.(\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  const decimals = decimalsOf(currency);
  if (fraction.length > decimals && /[1-9]/.test(fraction.slice(decimals))) return undefined;
  return Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}
