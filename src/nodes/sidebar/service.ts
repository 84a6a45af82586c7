import type { Detail, Summary } from '../shared/admin-summary.js';
import { $ } from './host.js';

/** Asks the runtime. Rejects with text that may be shown. */

export interface Page {
  operations: Summary[];
  next?: number;
}

export interface Checked {
  isOpen: boolean;
  /** What the status service has; absent where it cannot know the operation. */
  entries?: { type: string; finStatus: string; minor: number | null; currency: string }[];
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
  return post(`environments/${encodeURIComponent(id)}/${what}`, body);
}

function get<T>(path: string): Promise<T> {
  return ask<T>({ url: `payment-admin/${path}`, type: 'GET', dataType: 'json' });
}

function post<T>(path: string, body: object): Promise<T> {
  return ask<T>({
    url: `payment-admin/${path}`,
    type: 'POST',
    dataType: 'json',
    contentType: 'application/json',
    data: JSON.stringify(body),
  });
}

async function ask<T>(asked: Parameters<typeof $.ajax>[0]): Promise<T> {
  try {
    return (await $.ajax(asked)) as T;
  } catch (failure) {
    const { status = 0, responseJSON } = failure as { status?: number; responseJSON?: { error?: unknown } };
    const said = responseJSON?.error;
    throw new Error(typeof said === 'string' ? said : `HTTP ${status}`, { cause: status });
  }
}
