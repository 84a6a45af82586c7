/** An object to spread: a property where there is a value, none where there is not. */
export function present<Name extends string, Value>(name: Name, value: Value | undefined): { [key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]: Value });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The fields without those that were left out. */
export function withoutAbsent<Fields extends object>(fields: Fields): Fields {
  const all = Object.entries(fields);
  const present = all.filter(([, value]) => value !== undefined);
  return present.length === all.length ? fields : (Object.fromEntries(present) as Fields);
}
