export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The fields without those that are undefined. */
export function withoutAbsent<Fields extends object>(fields: Fields): Fields {
  if (!Object.values(fields).includes(undefined)) return fields;
  const kept: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as Fields;
}

/** The text in a field of an unchecked body. Empty for anything but a string or a number, which decides nothing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
