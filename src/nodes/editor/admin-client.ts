import type { Changed, CheckResult, Detail, RefundWay, Summary } from '../admin/contract.js';
import { $ } from './host.js';
import { text } from './words.js';

/** Requests to the admin routes of the runtime. They reject with text that may be shown. */

export interface Page {
  operations: Summary[];
  next?: number;
}

export interface Checked {
  isOpen: boolean;
  /** The transactions of the status service; absent where it cannot know the operation. */
  entries?: { type: string; finStatus: string; amount: string; currency: string }[];
}

/** @param until epoch ms; absent: the newest */
export function list(until?: number): Promise<Page> {
  return get(`operations${until === undefined ? '' : `?until=${until}`}`);
}

/** Those of these operations that there are. @param ids at most {@link MOST_CHANGED} */
export function summaries(ids: Changed): Promise<Page> {
  return get(`operations?ids=${ids.map(encodeURIComponent).join(',')}`);
}

export function detail(id: string): Promise<Detail> {
  return get(`operations/${encodeURIComponent(id)}`);
}

export function checkNow(id: string): Promise<Checked> {
  return post(`operations/${encodeURIComponent(id)}/check-now`, {});
}

/** Asks the service once more for receipts, which the detail has then. */
export function fetchReceipts(id: string): Promise<{ isFound: boolean }> {
  return post(`operations/${encodeURIComponent(id)}/receipts`, {});
}

/** A reversal or refund that was begun, as an operation of its own. */
export interface Begun {
  operationId: string;
}

/** @param key of the dialog: what it asks for is done once */
export function reverse(id: string, key: string): Promise<Begun> {
  return post(`operations/${encodeURIComponent(id)}/reverse`, { key });
}

/** @param asked `amount` in major units */
export function refund(id: string, asked: { key: string; amount: string; way: RefundWay }): Promise<Begun> {
  return post(`operations/${encodeURIComponent(id)}/refund`, asked);
}

export function handle(id: string, note: string): Promise<object> {
  return post(`operations/${encodeURIComponent(id)}/handled`, { note });
}

export function withdrawHandled(id: string): Promise<object> {
  return post(`operations/${encodeURIComponent(id)}/handled/withdraw`, {});
}

/** An idempotency key. A page that came by http has no `crypto.randomUUID`. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A request about an environment, which may be a draft. */
export function askEnvironment<T>(id: string, what: 'devices' | 'ping' | 'test', body: object): Promise<T> {
  // As `mayUseEnvironment` decides in the runtime.
  const permission = 'draft' in body ? 'flows.write' : 'payments.write';
  return post(`environments/${encodeURIComponent(id)}/${what}`, body, permission);
}

/** Tests a journal, which may be a draft. */
export function testJournal(id: string, body: { draft: object }): Promise<{ findings: CheckResult[] }> {
  return post(`journals/${encodeURIComponent(id)}/test`, body, 'flows.write');
}

function get<T>(path: string): Promise<T> {
  return ask<T>({ url: `payment-admin/${path}`, type: 'GET', dataType: 'json' }, 'payments.read');
}

function post<T>(path: string, body: object, permission = 'payments.write'): Promise<T> {
  const data = JSON.stringify(body);
  const request = { url: `payment-admin/${path}`, contentType: 'application/json', data };
  return ask<T>({ ...request, type: 'POST', dataType: 'json' }, permission);
}

/** @param permission the one that the request needs, for the message when the user lacks it */
async function ask<T>(request: Parameters<typeof $.ajax>[0], permission: string): Promise<T> {
  try {
    return (await $.ajax(request)) as T;
  } catch (failure) {
    throw new Error(messageOf(failure as Failure, permission), { cause: (failure as Failure).status });
  }
}

interface Failure {
  status?: number;
  responseJSON?: { error?: unknown; code?: unknown };
}

/** In the user's language where there is a text for the error, else the runtime's own message. */
function messageOf({ status = 0, responseJSON: { error, code } = {} }: Failure, permission: string): string {
  if (status === 401) return text('sidebar.needsPermission', { permission });
  if (status === 404) return text('sidebar.gone');
  const key = `sidebar.error.${code}`;
  const found = text(key);
  if (found !== key) return found;
  return typeof error === 'string' ? error : `HTTP ${status}`;
}
