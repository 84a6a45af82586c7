/** The value that a part of all values, 0 to 1, does not exceed: 0.5 is the median. NaN without values. */
export function shareOf(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
