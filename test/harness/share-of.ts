/**
 * The value that a part of all values, 0 to 1, does not exceed: 0.5 is the median. Between two values it is as far from each as the
 * part says, so that the median of an even number lies in the middle. NaN without values.
 */
export function shareOf(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = part * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
