import type { TransactionOperation } from '../../../src/core/api/schema/operation-rules.js';
import type { Draw } from '../draw.js';

/** Where answers come from. */

export const CALLBACK = 'callback';
export const STOP = 'POST /transactions (stop)';

const OF_TERMINALS = ['POST /transactions', STOP, 'GET /transaction-result', 'GET /status', CALLBACK] as const;
const BESIDE = ['GET /devices', 'POST /devices'] as const;
/** Met only after a payment went through. */
const OF_BACK_OFFICE = [
  'POST /reversal',
  'POST /moto/sale',
  'POST /moto/refund',
  'POST /moto/reversal',
  'POST /preauthorization/capture',
  'POST /preauthorization/increase',
  'POST /transactions/tip-adjustment',
  'GET /transactions/token',
  'POST /batch/close',
  'POST /batch/summary',
  'POST /batch/detail',
] as const;

export const ENDPOINTS: readonly string[] = [...OF_TERMINALS, ...BESIDE, ...OF_BACK_OFFICE];

/** Where the answers of a case are odd, and the payments that lead there: any where undefined. */
export interface Target {
  endpoints: readonly string[];
  operations?: readonly [TransactionOperation, ...TransactionOperation[]];
}

export function drawTarget(draw: Draw): Target {
  return draw.pick<() => Target>([
    () => ({ endpoints: ENDPOINTS }),
    () => ({ endpoints: [draw.pick([...OF_TERMINALS, ...BESIDE])] }),
    () => ({
      endpoints: OF_BACK_OFFICE,
      operations: ['sale', 'saleAndTokenizeCard', 'saleAndTokenizeCard', 'moToSale', 'preAuthorization'],
    }),
  ])();
}
