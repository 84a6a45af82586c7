import type { OperationRecord } from '../../core/operation.js';
import { type Reason, reasonIn } from '../../core/reason.js';
import { HOLD_OR_MONEY, outcomeTold } from '../../core/undoing.js';

/** Why a payment did not go as it was asked to; undefined where nobody said it. */
export function reasonOf(record: OperationRecord): Reason | undefined {
  const { told, why } = record.state;
  const { error } = told === 'completed' && outcomeTold(record) === 'unknown' ? HOLD_OR_MONEY : { error: why };
  return error === undefined ? reasonIn(told, record.result) : { code: error.code, message: error.message };
}
