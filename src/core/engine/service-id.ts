import { createHash } from 'node:crypto';
import type { OperationRecord } from '../journal/record.js';

const LENGTH = 16;
const SEPARATOR = ',';

type Access = Record<'baseUrl' | 'statusUrl' | 'apiKey', string> & { secondApiKey?: string };

/**
 * Identifies a service, and one merchant's access to it, without giving away address or key: an id for each key, so that a
 * key can be replaced by another in two steps.
 */
export function serviceOf({ baseUrl, statusUrl, apiKey, secondApiKey = '' }: Access): string {
  const idOf = (key: string): string =>
    createHash('sha256').update([baseUrl, statusUrl, key].join('\n')).digest('hex').slice(0, LENGTH);
  return (secondApiKey === '' ? [apiKey] : [apiKey, secondApiKey]).map(idOf).join(SEPARATOR);
}

/**
 * Whether an operation may have been sent to another service, which alone knows how it ended.
 * @param mayBeBackup what the journal calls unsent may have been sent
 */
export function isOtherService({ service, state }: OperationRecord, here: string, mayBeBackup: boolean): boolean {
  const ids = here.split(SEPARATOR);
  if (service.split(SEPARATOR).some((id) => ids.includes(id))) return false;
  if (mayBeBackup) return true;
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
