export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The fields without those that are undefined. */
export function withoutAbsent<Fields extends object>(fields: Fields): Fields {
  const all = Object.entries(fields);
  const kept = all.filter(([, value]) => value !== undefined);
  return kept.length === all.length ? fields : (Object.fromEntries(kept) as Fields);
}

/** The text in a field of an unchecked body. Empty for anything but a string or a number, which decides nothing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
