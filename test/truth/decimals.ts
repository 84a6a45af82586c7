/** How the test writes amounts: on purpose neither with the client's code nor with the simulator's. */

/** Nobody pays in USD: a result may speak of it all the same. */
const DECIMALS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };

/** `1250` EUR is `12.50`, `1250` KWD is `1.250`, `1250` JPY is `1250`. */
export function toMajor(minor: number, currency: string): string {
  const decimals = DECIMALS[currency];
  if (decimals === undefined) throw new Error(`no currency of this test: ${currency}`);
  return (minor / 10 ** decimals).toFixed(decimals);
}
