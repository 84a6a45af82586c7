import {
  type BatchCloseRequest,
  type BatchDetailRequest,
  type BatchSummaryRequest,
  checkBatchClose,
  checkBatchDetail,
  checkBatchSummary,
} from '../api/batch.js';
import {
  checkMotoRefund,
  checkMotoReversal,
  checkMotoSale,
  type MotoRefundRequest,
  type MotoReversalRequest,
  type MotoSaleRequest,
} from '../api/moto.js';
import { type CaptureRequest, checkCapture, checkIncrease, type IncreaseRequest } from '../api/preauthorization.js';
import { checkReversal, type ReversalRequest } from '../api/reversal.js';
import { checkTip, type TipRequest } from '../api/tip.js';
import { checkToken, type TokenRequest } from '../api/token.js';

/** The operations that need no terminal, named as their paths are, and what each of them is asked with. */

interface Requests {
  reversal: ReversalRequest;
  'moto/sale': MotoSaleRequest;
  'moto/refund': MotoRefundRequest;
  /** Deprecated by the service in favour of `reversal`. */
  'moto/reversal': MotoReversalRequest;
  'preauthorization/capture': CaptureRequest;
  'preauthorization/increase': IncreaseRequest;
  'tip-adjustment': TipRequest;
  token: TokenRequest;
  'batch/close': BatchCloseRequest;
  'batch/summary': BatchSummaryRequest;
  'batch/detail': BatchDetailRequest;
}

export type BackOfficeOperation = keyof Requests;

export type BackOfficeOrder = {
  [Operation in BackOfficeOperation]: {
    operation: Operation;
    body: Requests[Operation];
    /** `transactionReference` of the chain that the operation belongs to: what the status service is asked by. */
    originalReference?: string;
  };
}[BackOfficeOperation];

const CHECKS: Readonly<Record<BackOfficeOperation, (body: unknown) => object>> = {
  reversal: checkReversal,
  'moto/sale': checkMotoSale,
  'moto/refund': checkMotoRefund,
  'moto/reversal': checkMotoReversal,
  'preauthorization/capture': checkCapture,
  'preauthorization/increase': checkIncrease,
  'tip-adjustment': checkTip,
  token: checkToken,
  'batch/close': checkBatchClose,
  'batch/summary': checkBatchSummary,
  'batch/detail': checkBatchDetail,
};

export const BACK_OFFICE_OPERATIONS = Object.keys(CHECKS) as BackOfficeOperation[];

/** @throws InputError naming the first field that breaks a rule */
export function checkBackOfficeOrder(order: BackOfficeOrder): BackOfficeOrder {
  return { ...order, body: CHECKS[order.operation](order.body) } as BackOfficeOrder;
}

/** The id of the transaction that an operation is about; undefined where it starts a chain of its own. */
export function originalOf({ operation, body }: BackOfficeOrder): string | undefined {
  switch (operation) {
    case 'tip-adjustment':
    case 'token':
      return body.transactionID;
    case 'moto/sale':
    case 'batch/close':
    case 'batch/summary':
    case 'batch/detail':
      return undefined;
    default:
      return body.originalGuid;
  }
}

/** Whether it starts a chain of its own under our reference. */
export function hasOwnReference(order: BackOfficeOrder): boolean {
  return order.operation === 'moto/sale' || (order.operation === 'moto/refund' && originalOf(order) === undefined);
}

export function isBatchClose(order: BackOfficeOrder): order is BackOfficeOrder & { operation: 'batch/close' } {
  return order.operation === 'batch/close';
}
