import { isBadKey } from '../api/transport/error-answer.js';
import type { RefusedError } from '../base/errors.js';
import type { Verdict } from './verdict.js';

/** How the service refused a request. */
export type Refusal = 'busy' | 'throttled' | 'mistake' | 'other';

const NAMES: Record<string, string> = {
  '1001': 'TERMINAL_BUSY',
  '1002': 'TERMINAL_OFFLINE',
  '1003': 'STOP_NOT_ALLOWED',
  '1004': 'TERMINAL_NOT_ASSIGNED',
  '1005': 'NOTHING_TO_STOP',
};

export function refusalOf(error: RefusedError): Refusal {
  if (error.status === 429) return 'throttled';
  if (error.serviceCode === '1001') return 'busy';
  return error.status === 422 || isBadKey(error) ? 'mistake' : 'other';
}

export function describeRefusal(error: RefusedError): NonNullable<Verdict['error']> {
  const code = error.serviceCode ?? String(error.status);
  return describe(code, NAMES[code] ?? error.serviceName ?? error.name, error);
}

export function describe(code: string, name: string, { message }: Error): NonNullable<Verdict['error']> {
  return { code, name, message };
}
