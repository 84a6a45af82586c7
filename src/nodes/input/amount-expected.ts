/** What a message without an amount lacks, by the unit of the node. */
export function amountExpected(unit: unknown): string {
  return unit === 'minor' ? 'a whole number of minor units such as 1250' : 'a decimal such as 12.50';
}
