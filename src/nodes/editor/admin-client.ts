import type { Detail, Summary } from '../admin/contract.js';
import { $ } from './host.js';
import { text } from './words.js';

/** Asks the runtime. Rejects with text that may be shown. */

export interface Page {
  operations: Summary[];
  next?: number;
}

export interface Checked {
  isOpen: boolean;
  /** What the status service has; absent where it cannot know the operation. */
  entries?: { type: string; finStatus: string; amount: string; currency: string }[];
}

/** @param until epoch ms; absent: the newest */
export function list(until?: number): Promise<Page> {
  return get(`operations${until === undefined ? '' : `?until=${until}`}`);
}

export function detail(id: string): Promise<Detail> {
  return get(`operations/${encodeURIComponent(id)}`);
}

export function check(id: string): Promise<Checked> {
  return post(`operations/${encodeURIComponent(id)}/check`, {});
}

export function reverse(id: string): Promise<{ operationId: string }> {
  return post(`operations/${encodeURIComponent(id)}/reverse`, {});
}

/** Something of an environment, as a dialog has it. */
export function askEnvironment<T>(id: string, what: 'devices' | 'ping' | 'test', body: object): Promise<T> {
  // What is not deployed is for those who may deploy it.
  const permission = 'draft' in body ? 'flows.write' : 'payments.write';
  return post(`environments/${encodeURIComponent(id)}/${what}`, body, permission);
}

function get<T>(path: string): Promise<T> {
  return ask<T>({ url: `payment-admin/${path}`, type: 'GET', dataType: 'json' }, 'payments.read');
}

function post<T>(path: string, body: object, permission = 'payments.write'): Promise<T> {
  const data = JSON.stringify(body);
  const asked = { url: `payment-admin/${path}`, contentType: 'application/json', data };
  return ask<T>({ ...asked, type: 'POST', dataType: 'json' }, permission);
}

/** @param permission what the user needs for it */
async function ask<T>(asked: Parameters<typeof $.ajax>[0], permission: string): Promise<T> {
  try {
    return (await $.ajax(asked)) as T;
  } catch (failure) {
    throw new Error(wordsOf(failure as Failure, permission), { cause: (failure as Failure).status });
  }
}

interface Failure {
  status?: number;
  responseJSON?: { error?: unknown; code?: unknown };
}

/** In the language of who looks where there is a text for it, else in the words of the runtime. */
function wordsOf({ status = 0, responseJSON: { error, code } = {} }: Failure, permission: string): string {
  if (status === 401) return text('sidebar.needsPermission', { permission });
  if (status === 404) return text('sidebar.gone');
  const key = `sidebar.error.${code}`;
  const found = text(key);
  if (found !== key) return found;
  return typeof error === 'string' ? error : `HTTP ${status}`;
}
