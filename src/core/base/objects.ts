/** An object to spread, with the property only if the value is defined. */
export function present<Name extends string, Value>(name: Name, value: Value | undefined): { [key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]: Value });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The fields without undefined ones. */
export function withoutAbsent<Fields extends object>(fields: Fields): Fields {
  const all = Object.entries(fields);
  const present = all.filter(([, value]) => value !== undefined);
  return present.length === all.length ? fields : (Object.fromEntries(present) as Fields);
}
