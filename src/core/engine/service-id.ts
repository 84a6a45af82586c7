import { createHash } from 'node:crypto';
import type { OperationRecord } from '../journal/record.js';

const LENGTH = 16;

/** What tells one service, and one merchant's access to it, from another; it betrays neither address nor key. */
export function serviceOf({ baseUrl, statusUrl, apiKey }: Record<'baseUrl' | 'statusUrl' | 'apiKey', string>): string {
  return createHash('sha256').update([baseUrl, statusUrl, apiKey].join('\n')).digest('hex').slice(0, LENGTH);
}

/** An operation that may have been sent to another service, which alone can say what became of it. */
export function isOtherService({ service, state }: OperationRecord, here: string): boolean {
  if (service === here) return false;
  if (state.phase === 'retrying') return state.lostAt !== undefined;
  return state.phase !== 'queued' && state.phase !== 'pausing' && state.phase !== 'preparing';
}
