import type { Draw } from '../draw.js';

/** What no description allows in a field, and what its name may be. */

/** Valid card numbers, as people and programs write them. */
export const CARD = '4111111111111111';
const CARDS = [
  CARD,
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  '4111.1111.1111.1111',
  '4111\u00a01111\u00a01111\u00a01111',
  '4111%201111%201111%201111',
  `pan_${CARD}`,
] as const;
/** Finds them again, whatever separates the groups. */
export const CARD_PATTERN = /4111(?:%20|[^0-9]){0,2}1111(?:%20|[^0-9]){0,2}1111(?:%20|[^0-9]){0,2}1111/;

/** Names that an object has without being given them, and that some code looks up. */
const PROTOTYPE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'toJSON',
  'then',
  'length',
] as const;
const FIELD_NAMES = [
  'finStatus',
  'type',
  'transactionID',
  'transactionReference',
  'transactionResultId',
  'originalEFTTransactionID',
  'statusMessage',
  'errorMessage',
  'issuerResponseCode',
  'issuerResponseText',
  'totalAmount',
  'requestedAmount',
  'dueAmount',
  'tipAmount',
  'holdAmount',
  'surcharge',
  'currency',
  'customFields',
  'metadata',
  'deviceStatus',
  'balance',
  'customerReceipt',
  'signatureUrl',
  'unMaskedPan',
  'maskedCardNumber',
  'efttimestamp',
  'httpStatus',
  'approvalCode',
  'guid',
  'reversalGuid',
  'details',
  'error',
  'message',
  'code',
  'result',
  '@type',
] as const;
const WORDS = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '00',
  '1e3',
  '0x10',
  '１０００',
  '1,000.00',
  '10.005',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[object Object]',
  'authorised',
  'AUTHORISED ',
  '\u0000',
  '\ud800',
  '\u202e',
  '{{payload}}',
  '$&',
  '<script>alert(1)</script>',
] as const;
const NUMBERS = [
  0,
  -0,
  -1,
  0.1,
  1e21,
  1e308,
  -1e308,
  2 ** 53,
  Number.MAX_SAFE_INTEGER + 2,
  4_111_111_111_111_111,
  1e-7,
] as const;
const LONG = 100_000;
const MANY = 2_000;
/** One level less than is read, one more, and what runs out of stack. */
const DEPTHS = [60, 65, 5_000] as const;

/** Text that is deeper than what may be read, without ever being built. */
export const NESTED = 'nested-so-deep:';

/** Any value that JSON can hold. `secrets`: the key and the tokens of the request. */
export function oddValue(draw: Draw, secrets: readonly string[]): unknown {
  return draw.pick<() => unknown>([
    () => null,
    () => draw.chance(0.5),
    () => draw.pick(NUMBERS),
    () => draw.pick(WORDS),
    () => draw.pick(PROTOTYPE_NAMES),
    () => draw.pick(CARDS),
    () => `refused for ${secrets.join(' and ')}`,
    () => [],
    () => ({}),
    () => [draw.pick(WORDS), draw.pick(NUMBERS), null],
    () => ({ toString: 1, valueOf: null, toJSON: 'x' }),
    () => oddObject(draw, secrets),
    () => 'x'.repeat(draw.chance(0.1) ? LONG : 300),
    () => Array.from({ length: draw.chance(0.1) ? MANY : 20 }, () => ({ key: 'a', value: 1 })),
    () => `${NESTED}${draw.pick(DEPTHS)}`,
  ])();
}

/** A name that is known, one that every object has, or a card number. */
export function oddName(draw: Draw): string {
  return draw.pick([draw.pick(FIELD_NAMES), draw.pick(FIELD_NAMES), draw.pick(PROTOTYPE_NAMES), draw.pick(CARDS)]);
}

/** The text of a value, in which marks of depth are nested so deep. `__proto__` becomes a property of its own. */
export function textOf(value: unknown): string {
  return (JSON.stringify(value) ?? '').replace(new RegExp(`"${NESTED}(\\d+)"`, 'g'), (_mark, depth) => {
    const [open, close] = Number(depth) % 2 === 0 ? ['{"a":', '}'] : ['[', ']'];
    return `${open.repeat(Number(depth))}1${close.repeat(Number(depth))}`;
  });
}

function oddObject(draw: Draw, secrets: readonly string[]): object {
  const names = Array.from({ length: draw.int(1, 4) }, () => oddName(draw));
  // `fromEntries` makes own properties of all names, `__proto__` included.
  return Object.fromEntries(names.map((name) => [name, draw.chance(0.3) ? oddValue(draw, secrets) : draw.pick(WORDS)]));
}
