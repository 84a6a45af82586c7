import { isObject, textOf } from './objects.js';

/** Key/value data of a result (spec: TransactionResult, customFields). */
export interface CustomField {
  key: string;
  value: string;
}

/** In any of its three shapes: a list, `{entry: [...]}` or a flat object. Empty where there is none. */
export function customFieldsIn(value: unknown): CustomField[] {
  if (!isObject(value)) return [];
  if (Array.isArray(value)) return value.filter(isObject).flatMap(fieldOf);
  if ('entry' in value) {
    const { entry } = value;
    return customFieldsIn(Array.isArray(entry) || !isObject(entry) ? entry : [entry]);
  }
  return Object.entries(value).flatMap(([key, field]) => fieldOf({ key, value: field }));
}

function fieldOf({ key, value }: Record<string, unknown>): CustomField[] {
  const isFlat = typeof value === 'boolean' || textOf(value) !== '' || value === '';
  return textOf(key) === '' || !isFlat ? [] : [{ key: textOf(key), value: String(value) }];
}
