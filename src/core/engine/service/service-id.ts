import { createHash } from 'node:crypto';
import type { OperationRecord } from '../../journal/record.js';

const LENGTH = 16;

export type Access = Record<'baseUrl' | 'statusUrl' | 'apiKey', string>;

/** Identifies a service, and one key's access to it, without giving away address or key. */
export function serviceOf({ baseUrl, statusUrl, apiKey }: Access): string {
  return idOf([baseUrl, statusUrl, apiKey]);
}

/** Identifies a merchant of a service. @param alpha `merchant_id_alpha` */
export function merchantIdOf({ baseUrl, statusUrl }: Omit<Access, 'apiKey'>, alpha: string): string {
  return idOf(['merchant', baseUrl, statusUrl, alpha]);
}

/**
 * Whether something of an operation may have been sent to the service, which alone knows how that ended.
 * @param isPerhapsBackup what the journal calls unsent may have been sent
 */
export function maybeSent({ state }: OperationRecord, isPerhapsBackup: boolean): boolean {
  if (isPerhapsBackup) return true;
  switch (state.phase) {
    case 'queued':
    case 'preparing':
      return false;
    case 'retrying':
      return state.lostAt !== undefined;
    case 'pausing':
      // A refusal may answer the repetition of an attempt of ours that has begun, and what ends is asked for once more.
      return [state.busy, state.throttled, state.ending, state.retries].some((sign) => sign !== undefined);
    default:
      return true;
  }
}

function idOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, LENGTH);
}
