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
import type { Draft } from '../api/schema/check.js';
import { checkTip, type TipRequest } from '../api/tip.js';
import { checkToken, type TokenRequest } from '../api/token.js';
import type { RefundLimited } from './order.js';

/** The operations that need no terminal, named by their paths, and the request of each. */

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

interface OrderOf<Operation, Body> {
  operation: Operation;
  body: Body;
  /** `transactionReference` of the chain that the operation belongs to: the status service is asked by it. */
  originalReference?: string;
  /** An order that has waited longer than this is not begun, ms. Null: it is begun however late. Absent: 15 minutes. */
  startWithinMs?: number | null;
}

export type BackOfficeOrder = {
  [Operation in BackOfficeOperation]: OrderOf<Operation, Requests[Operation]>;
}[BackOfficeOperation];

/** An order as a caller puts it together, before it is checked. */
export type BackOfficeDraft = {
  [Operation in BackOfficeOperation]: OrderOf<Operation, Draft<Requests[Operation]>> & RefundLimited;
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
export function checkBackOfficeOrder(draft: BackOfficeDraft): BackOfficeOrder {
  const { atMostLeft: _atMostLeft, ...order } = draft;
  return { ...order, body: CHECKS[draft.operation](draft.body) } as BackOfficeOrder;
}

/** The id of the transaction that an operation is about; undefined where it starts its own chain. */
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

/** Whether it starts its own chain under our reference. */
export function hasOwnReference(order: BackOfficeOrder): boolean {
  return order.operation === 'moto/sale' || (order.operation === 'moto/refund' && originalOf(order) === undefined);
}

export function isBatchClose(order: BackOfficeOrder): order is BackOfficeOrder & { operation: 'batch/close' } {
  return order.operation === 'batch/close';
}
