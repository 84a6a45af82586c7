/** Deeper than any response of the service; beyond it, what walks through a value could run out of stack. */
const MAX_DEPTH = 64;

/**
 * Parses JSON that somebody else wrote.
 * @throws SyntaxError when it is no JSON, or nested more than 64 levels deep
 */
export function parseJson(text: string): unknown {
  if (mayBeDeep(text) && depthOf(text) > MAX_DEPTH)
    throw new SyntaxError(`JSON nested more than ${MAX_DEPTH} levels deep`);
  return JSON.parse(text);
}

/** JSON in ASCII alone: a database whose encoding is not UTF-8 refuses some characters, and would refuse all that is written with them. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    BEYOND_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const BEYOND_ASCII = /[\u0080-\uffff]/g;

/** Fewer brackets than that cannot be nested deeper. Most responses are ruled out so, at a fraction of the cost. */
function mayBeDeep(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let place = text.indexOf(bracket); place >= 0; place = text.indexOf(bracket, place + 1)) {
      if (++count > MAX_DEPTH) return true;
    }
  }
  return false;
}

/** Counted in the text, so that a deep value is never built. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let place = 0; place < text.length; place++) {
    const character = text[place];
    if (inString) {
      if (character === '\\') place++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return deepest;
}
