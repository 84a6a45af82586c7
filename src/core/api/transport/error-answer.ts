import { RefusedError } from '../../base/errors.js';
import { parseJson } from '../../base/json.js';
import { isObject } from '../../base/objects.js';

/**
 * Distinguishes a refusal, after which nothing has happened for certain, from a response that proves nothing. Reads
 * all error patterns of the service (spec: Errors) and the variants that deployments use.
 */

/** What was asked. After `POST /transactions` (`terminal`) a terminal may have started although an error came back. */
export type Endpoint = 'terminal' | 'back-office' | 'read';

/** Content of an error body, whatever its pattern. */
interface Failure {
  code?: string;
  name?: string;
  message?: string;
}

/** What a terminal refuses with (spec: Terminal error numbers). Nothing began, whatever HTTP status carries it. */
const TERMINAL_NUMBERS: ReadonlySet<string> = new Set(['1001', '1002', '1003', '1004', '1005']);

/** The statuses of a described refusal, where the body says `error`. Any other one may come from a proxy in between. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 422]);

/**
 * The refusal in a response; undefined if the response leaves the outcome open.
 * @param status HTTP status
 * @param body as received; need not be JSON
 */
export function refusalFrom(status: number, body: string, endpoint: Endpoint): RefusedError | undefined {
  const failure = failureIn(body);
  if (!isRefusal(status, failure, endpoint)) return undefined;
  const code = failure?.code;
  return new RefusedError({
    status,
    code,
    name: failure?.name,
    message:
      failure?.message ?? (code === undefined ? `refused with HTTP status ${status}` : `refused with code ${code}`),
  });
}

/** What a service may leave in a field for an error that there was not. */
export function saysNothing(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length === 0;
  return !value || value === '0' || String(value).trim() === '';
}

/** Whether the key itself was refused. A 403 with a business code refuses the operation, not the key. */
export function isBadKey(error: RefusedError): boolean {
  return error.status === 403 && error.serviceCode === undefined;
}

/** Whether the service itself refused the key, and no proxy: another key of the merchant may be accepted. */
export function isKeyRefused(error: RefusedError): boolean {
  return isBadKey(error) && error.serviceName === 'ForbiddenError';
}

function isRefusal(status: number, failure: Failure | undefined, endpoint: Endpoint): boolean {
  if (status === 429) return true;
  if (endpoint === 'read' && (status === 403 || status === 422)) return true;
  if (failure === undefined) return false;
  if (REFUSALS.has(status) || TERMINAL_NUMBERS.has(failure.code ?? '')) return true;
  switch (endpoint) {
    case 'terminal':
      return false;
    case 'back-office':
      // 3156: no pre-authorisation for the id. Without a code it may be the 404 of a proxy.
      return status === 404 && failure.code !== undefined;
    case 'read':
      return status === 401 || status === 404;
  }
}

function failureIn(body: string): Failure | undefined {
  return failureOf(parse(body));
}

function failureOf(body: unknown): Failure | undefined {
  if (!isObject(body)) return undefined;
  const { error, message } = body;
  if (typeof error === 'number' || (typeof error === 'string' && /^\d+$/.test(error))) {
    return { code: String(error), message: textOf(message) };
  }
  return isObject(error) ? flatFailure(error) : undefined;
}

/** The flat pattern. It may contain a terminal error in the message, or the nested pattern in the details. */
function flatFailure(error: Record<string, unknown>): Failure {
  const { name, message, details } = error;
  const inner = failureOf(typeof message === 'string' ? parse(message) : message);
  if (inner !== undefined) return { name: textOf(name), ...inner };
  const nested = nestedFailure(details);
  if (nested !== undefined) return { name: textOf(name), ...nested };
  const code = codeOf(error.code) ?? (isObject(details) ? codeOf(details.errorCode) : undefined);
  // Some deployments repeat the message as its explanation.
  const texts = new Set([textOf(message), explain(details)].filter(Boolean));
  return { code, name: textOf(name), message: [...texts].join(': ') || undefined };
}

/** The nested pattern: the code is at `error.details.body.error`, and the outer message is generic. */
function nestedFailure(details: unknown): Failure | undefined {
  const body = isObject(details) ? details.body : undefined;
  const inner = isObject(body) ? body.error : undefined;
  if (!isObject(inner)) return undefined;
  return { code: codeOf(inner.errorCode), message: textOf(inner.reason) };
}

/** Explains the error: a validation error lists the fields, other errors have one text. */
function explain(details: unknown): string | undefined {
  if (Array.isArray(details)) {
    const lines = details
      .filter(isObject)
      .map(({ path, message }) => `${textOf(path) ?? ''} ${textOf(message) ?? ''}`.trim());
    return lines.filter((line) => line !== '').join('; ') || undefined;
  }
  return isObject(details) ? (textOf(details.description) ?? textOf(details.reason)) : undefined;
}

function codeOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
