import { isObject } from '../../../src/core/base/objects.js';
import type { HttpAnswer } from '../../../src/core/base/seams.js';
import type { Draw } from '../draw.js';
import { oddName, oddValue, textOf } from './odd-values.js';

/** Turns an answer of the service into another one. It may be anything. */

type Fields = Record<string, unknown>;

const STATUSES = [
  200, 200, 200, 201, 202, 203, 204, 205, 206, 207, 226, 300, 301, 302, 304, 308, 400, 401, 402, 403, 404, 405, 406,
  408, 409, 410, 413, 418, 422, 425, 429, 431, 451, 500, 501, 502, 503, 504, 507, 511, 520, 599,
] as const;
const FIN_STATUSES = [
  'AUTHORISED',
  'DECLINED',
  'CANCELLED',
  'FAILED',
  'UNDEFINED',
  'REFUNDED',
  'PROCESSED',
  'CAPTURED',
  'PARTIAL_APPROVAL',
  'PARTIALLY_APPROVED',
  'IN_PROGRESS',
] as const;
const CODES = [
  '1001',
  '1002',
  '1003',
  '1004',
  '1005',
  '3051',
  '3052',
  '3153',
  '3156',
  '4066',
  '5001',
  'constructor',
] as const;
const TEXTS = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '""',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '"AUTHORISED"',
  'AUTHORISED',
  '{"finStatus":null}',
  '{"finStatus":"AUTHORISED"}',
  '{"result":"PING_PONG"}',
  '{"error":null}',
  '{"error":{}}',
  '{"error":[]}',
  '<!doctype html><title>502 Bad Gateway</title>',
  '\ufeff{}',
  '{"a":1}{"a":2}',
  "{'finStatus':'AUTHORISED'}",
  '\u0000\u0001\ufffd',
] as const;

/** `secrets`: the key and the tokens of the request. */
export function oddAnswer({ status, body }: HttpAnswer, draw: Draw, secrets: readonly string[]): HttpAnswer {
  const kept = draw.chance(0.7) ? status : draw.pick(STATUSES);
  return { status: kept, body: oddBody(body, draw, secrets) };
}

export function oddBody(body: string, draw: Draw, secrets: readonly string[]): string {
  if (draw.chance(0.25)) return oddText(body, draw);
  const parsed = parsedOf(body);
  if (!isObject(parsed))
    return draw.chance(0.5) ? body : textOf(draw.chance(0.5) ? errorBody(draw, secrets) : oddValue(draw, secrets));
  const changed = Array.isArray(parsed) ? oddList(parsed, draw, secrets) : oddFields(parsed as Fields, draw, secrets);
  const text = textOf(changed);
  return draw.chance(0.05) ? withNameTwice(text, draw) : text;
}

function oddText(body: string, draw: Draw): string {
  const place = draw.int(0, body.length);
  return draw.pick([
    () => draw.pick(TEXTS),
    () => body.slice(0, place),
    () => body.slice(place),
    () =>
      `${body.slice(0, place)}${draw.pick(['"', '}', '\u0000', ',', '\\', '{'])}${body.slice(place + draw.int(0, 2))}`,
    () => `${body}${body}`,
    () => `\ufeff${body}`,
    () => JSON.stringify(body),
  ])();
}

function oddList(list: readonly unknown[], draw: Draw, secrets: readonly string[]): unknown {
  const [first] = list;
  return draw.pick<() => unknown>([
    () => [...list].reverse(),
    () => [...list, ...list],
    () => [...list, oddValue(draw, secrets)],
    () => [oddValue(draw, secrets), ...list],
    () => list.slice(1),
    () => first,
    () => ({ ...list }),
    () => list.map((entry) => (isObject(entry) ? oddFields(entry as Fields, draw, secrets) : entry)),
    () =>
      list.map((entry) => (isObject(entry) && draw.chance(0.5) ? oddFields(entry as Fields, draw, secrets) : entry)),
  ])();
}

function oddFields(fields: Fields, draw: Draw, secrets: readonly string[]): unknown {
  if (draw.chance(0.1))
    return draw.pick<unknown>([[fields], { data: fields }, { body: fields }, { ...fields, 0: fields }]);
  if (draw.chance(0.1)) return errorBody(draw, secrets, fields);
  const changed = new Map(Object.entries(fields));
  for (let changes = draw.int(1, 4); changes > 0; changes--) {
    const names = [...changed.keys()];
    const name = names[draw.int(0, Math.max(0, names.length - 1))] ?? oddName(draw);
    draw.pick([
      () => changed.set(name, oddValue(draw, secrets)),
      () => changed.set(oddName(draw), oddValue(draw, secrets)),
      () => changed.delete(name),
      () => renamed(changed, name, draw),
      () => changed.set('finStatus', draw.pick(FIN_STATUSES)),
      () => changed.set('issuerResponseCode', draw.pick(['00', '05', '30', 0, 5, '000', ''])),
      () =>
        changed.set(
          draw.pick(['totalAmount', 'amount', 'requestedAmount', 'dueAmount', 'holdAmount']),
          draw.int(-2000, 20_000),
        ),
      () => changed.set(name, [changed.get(name)]),
    ])();
  }
  return Object.fromEntries(changed);
}

function renamed(fields: Map<string, unknown>, name: string, draw: Draw): void {
  const value = fields.get(name);
  fields.delete(name);
  fields.set(draw.pick([name.toUpperCase(), ` ${name}`, oddName(draw)]), value);
}

/** The patterns of errors that the service has, around anything. */
function errorBody(draw: Draw, secrets: readonly string[], around: Fields = {}): unknown {
  const code = draw.pick([draw.pick(CODES), Number(draw.pick(['1001', '1005', '3051'])), oddValue(draw, secrets)]);
  const message = draw.chance(0.5) ? 'refused' : oddValue(draw, secrets);
  return draw.pick<unknown>([
    { ...around, error: code },
    { ...around, error: { code, message, name: oddName(draw), details: oddValue(draw, secrets) } },
    { ...around, error: { details: { body: { error: { errorCode: code, reason: message } } } } },
    { ...around, error: { message: JSON.stringify({ error: code, message }) } },
    { ...around, error: oddValue(draw, secrets), message },
    { ...around, error: { details: [{ path: oddValue(draw, secrets), message }, null] } },
  ]);
}

/** A field that is there twice, the second time with another value. */
function withNameTwice(text: string, draw: Draw): string {
  return text.endsWith('}') && text.length > 2
    ? `${text.slice(0, -1)},"${oddName(draw)}":${draw.pick(['1', 'null', '"x"'])}}`
    : text;
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
