import { createHash } from 'node:crypto';
import type { OperationRecord } from '../journal/record.js';

const LENGTH = 16;

/** Identifies a service, and one merchant's access to it, without giving away address or key. */
export function serviceOf({ baseUrl, statusUrl, apiKey }: Record<'baseUrl' | 'statusUrl' | 'apiKey', string>): string {
  return createHash('sha256').update([baseUrl, statusUrl, apiKey].join('\n')).digest('hex').slice(0, LENGTH);
}

/** Whether an operation may have been sent to another service, which alone knows how it ended. */
export function isOtherService({ service, state }: OperationRecord, here: string): boolean {
  if (service === here) return false;
  switch (state.phase) {
    case 'queued':
    case 'preparing':
      return false;
    case 'retrying':
      return state.lostAt !== undefined;
    case 'pausing':
      // What keeps the terminal busy may be an attempt of ours that arrived twice, and what ends is asked for once more.
      return state.busy !== undefined || state.ending !== undefined;
    default:
      return true;
  }
}
