const texts = new WeakMap<object, string>();

/**
 * The JSON of a part of a record that is the same in several versions of it, such as a result or the message of a flow: made
 * once. Whoever changes such a part makes a new one.
 * @throws TypeError where JSON cannot hold it
 */
export function partText(part: object): string {
  const known = texts.get(part);
  if (known !== undefined) return known;
  const json = JSON.stringify(part);
  texts.set(part, json);
  return json;
}

/**
 * No version of a record needs the text of a part any more. A WeakMap in the old generation keeps its values for all quick
 * collections, even where nothing else has the key.
 */
export function forgetText(part: object): void {
  texts.delete(part);
}
