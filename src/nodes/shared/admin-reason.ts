import type { OperationRecord } from '../../core/operation.js';
import { type Reason, reasonIn } from '../../core/reason.js';

/** Why a payment did not go as it was asked to; undefined where nobody said it. */
export function reasonOf({ state: { told, why }, result }: OperationRecord): Reason | undefined {
  return why === undefined ? reasonIn(told, result) : { code: why.code, message: why.message };
}
