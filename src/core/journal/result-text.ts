const texts = new WeakMap<Record<string, unknown>, { json: string | undefined }>();

/**
 * The JSON of a result, which is the largest part of a record and the same in several versions of it: made once. Undefined
 * where JSON cannot hold it.
 */
export function resultText(result: Record<string, unknown>): string | undefined {
  const known = texts.get(result);
  if (known !== undefined) return known.json;
  const json = jsonOf(result);
  texts.set(result, { json });
  return json;
}

function jsonOf(result: Record<string, unknown>): string | undefined {
  try {
    return JSON.stringify(result);
  } catch {
    return undefined;
  }
}
