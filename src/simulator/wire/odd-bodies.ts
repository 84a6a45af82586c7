import type { Fault } from '../infra/faults.js';
import { type Body, isObject, parseJson } from './checks.js';

/** Bodies that no description allows, and that a client has to survive. */

const DEPTH = 5_000;
const HUGE = 100_000;

/** What a client reads by these names decides; an object there would only be a body without a result. */
const KEPT_AS_TEXT = /(id|guid|status|type|currency|reference)$/i;

const CARD = '4111111111111111';
const CARD_NAMES = [
  CARD,
  `card-${CARD}`,
  `pan_${CARD}`,
  `c${CARD}`,
  '4111.1111.1111.1111',
  '4111\u00a01111\u00a01111\u00a01111',
  '4111%201111%201111%201111',
  '４１１１１１１１１１１１１１１１',
];

/** A JSON body with a fault of the moment `body`; each element of a list. `secrets`: the key and the token of the request. */
export function oddBody(text: string, fault: Fault, secrets: readonly string[]): string {
  const parsed = parseJson(text);
  if (Array.isArray(parsed)) {
    return `[${parsed.map((element) => oddBody(JSON.stringify(element), fault, secrets)).join(',')}]`;
  }
  if (!isObject(parsed)) return text;
  if (fault.kind === 'body-deep') return withDepth(text);
  return JSON.stringify(oddObject(parsed, fault, secrets));
}

function oddObject(body: Body, { kind, word = '__proto__' }: Fault, secrets: readonly string[]): Body {
  switch (kind) {
    case 'body-objects-for-texts':
      return { ...mapped(body, objectForText), issuerResponseText: { toString: 1 } };
    case 'body-strange-status':
      return { ...body, finStatus: word };
    case 'body-numbers-as-texts':
      return mapped(body, (value) => (typeof value === 'number' ? String(value) : value));
    case 'body-without-token':
      return 'cardToken' in body ? { ...body, cardToken: '' } : body;
    case 'body-huge-text': {
      const huge = 'x'.repeat(HUGE);
      // A word where there was none would say that something was done.
      return { ...body, ...('statusMessage' in body && { statusMessage: huge }), issuerResponseText: huge };
    }
    case 'body-card-numbers':
      return { ...body, customData: Object.fromEntries(CARD_NAMES.map((name) => [name, name])) };
    case 'body-echoes-secrets': {
      const message = `No access with ${secrets.join(' and ')}`;
      return { ...body, ...withMessage(body.error, message), errorMessage: message, statusMessage: message };
    }
    default:
      return body;
  }
}

/** The number of what went wrong may stand in the message alone, as an object or as its text, and stays there. */
function withMessage(error: unknown, message: string): Body {
  if (!isObject(error)) return {};
  const before = typeof error.message === 'string' ? parseJson(error.message) : error.message;
  if (!isObject(before)) return { error: { ...error, message } };
  const after = { ...before, message };
  return { error: { ...error, message: before === error.message ? after : JSON.stringify(after) } };
}

function objectForText(value: unknown, name: string): unknown {
  return typeof value === 'string' && !KEPT_AS_TEXT.test(name) ? { toString: 1 } : value;
}

function mapped(body: Body, change: (value: unknown, name: string) => unknown): Body {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(value, name)]));
}

/** Written as text, so that nothing here has to walk through it. */
function withDepth(text: string): string {
  const separator = text === '{}' ? '' : ',';
  return `${text.slice(0, -1)}${separator}"customData":${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}}`;
}
