import * as z from 'zod';
import type { HttpAnswer } from '../base/seams.js';
import { isApproved, isDeclined, post, type Read } from './back-office.js';
import { checkBatch, saysNothing } from './batch-answer.js';
import { customFields, issuerCode, record, text, textOrNumber } from './schema/answer-fields.js';
import { check } from './schema/check.js';
import { filledText } from './schema/fields.js';
import { type CallOptions, type Transport, unreadable } from './transport/transport.js';

/** `POST /batch/*`: settlement by batch, group B. All values in responses are strings; amounts are in major units. */

const device = { serialNumber: filledText, deviceType: filledText };

/** Without `batchNumber` the open batch is closed. */
const closeRequest = z.strictObject({ ...device, batchNumber: filledText.optional() });
const summaryRequest = z.strictObject({ ...device, batchNumber: filledText });
const detailRequest = z.strictObject({
  ...device,
  batchNumber: filledText,
  customerReference: z.union([z.string(), z.record(z.string(), z.unknown())], 'a text or an object').optional(),
  rrn: filledText.optional(),
});

export type BatchCloseRequest = z.output<typeof closeRequest>;
export type BatchSummaryRequest = z.output<typeof summaryRequest>;
export type BatchDetailRequest = z.output<typeof detailRequest>;

const batchAnswer = {
  httpStatus: textOrNumber,
  batchNumber: textOrNumber,
  /** `YYYYMMDDHHmmssSSS`. */
  closedAt: text,
  issuerResponseCode: issuerCode,
  issuerResponseText: text,
  batchStatus: text,
  finStatus: text,
};

const closeAnswer = z.object({
  ...batchAnswer,
  transactionCount: textOrNumber,
  netAmount: textOrNumber,
  closeBatchGuid: text,
});

const summaryAnswer = z.object({
  ...batchAnswer,
  transactionCount: textOrNumber,
  netAmount: textOrNumber,
  batchSummaryGuid: text,
  customFields,
  customerReference: record,
});

const detail = z.object({
  transactionType: text,
  amount: textOrNumber,
  retrievalReferenceNumber: text,
  batchDetailElementGuid: text,
});

const detailAnswer = z.object({ ...batchAnswer, batchDetailGuid: text, details: z.array(detail).catch([]) });

/** With whether the service approves what was asked for. */
type BatchRead<Fields> = Read<Fields> & { approved: boolean };

export type BatchCloseResult = BatchRead<z.output<typeof closeAnswer>>;
export type BatchSummaryResult = BatchRead<z.output<typeof summaryAnswer>>;
export type BatchDetailResult = BatchRead<z.output<typeof detailAnswer>>;

/** @throws InputError naming the first field that breaks a rule */
export const checkBatchClose = (draft: unknown): BatchCloseRequest => check(closeRequest, draft);
/** @throws InputError naming the first field that breaks a rule */
export const checkBatchSummary = (draft: unknown): BatchSummaryRequest => check(summaryRequest, draft);
/** @throws InputError naming the first field that breaks a rule */
export const checkBatchDetail = (draft: unknown): BatchDetailRequest => check(detailRequest, draft);

export class Batch {
  constructor(private readonly transport: Transport) {}

  /** @throws RefusedError: `BATCH_ALREADY_CLOSED`, `NO_TRANSACTIONS`, `BATCH_NUM_ERR_005` (a daily close was missed) */
  async close(asked: BatchCloseRequest, options: CallOptions = {}): Promise<BatchCloseResult> {
    const body = checkBatchClose(asked);
    const { read, answer } = await post(this.transport, ['batch', 'close'], body, closeAnswer, options);
    checkBatch(read.raw, body.batchNumber, answer);
    const { closeBatchGuid, batchStatus: status = '' } = read;
    if (closeBatchGuid && status !== '' && status !== 'CLOSED')
      throw unreadable(answer, `a batch was closed, and is ${status}`);
    const approved = isApprovedBatch(read, answer, Boolean(closeBatchGuid) || status === 'CLOSED');
    if (!approved) throw unreadable(answer, 'no word that the batch is closed');
    return { ...read, approved };
  }

  async summary(draft: BatchSummaryRequest, options: CallOptions = {}): Promise<BatchSummaryResult> {
    const body = checkBatchSummary(draft);
    return lookedUp(body, await post(this.transport, ['batch', 'summary'], body, summaryAnswer, options));
  }

  async detail(draft: BatchDetailRequest, options: CallOptions = {}): Promise<BatchDetailResult> {
    const body = checkBatchDetail(draft);
    return lookedUp(body, await post(this.transport, ['batch', 'detail'], body, detailAnswer, options));
  }
}

type BatchAnswer = Read<Pick<z.output<typeof closeAnswer>, 'httpStatus' | 'finStatus' | 'issuerResponseCode'>>;

function lookedUp<Answer extends BatchAnswer>(
  { batchNumber }: BatchSummaryRequest,
  { read, answer }: { read: Answer; answer: HttpAnswer },
): Answer & { approved: boolean } {
  checkBatch(read.raw, batchNumber, answer);
  if (saysNothing(read.raw)) throw unreadable(answer, 'no word about the batch');
  return { ...read, approved: isApprovedBatch(read, answer, !isDeclined(read)) };
}

function isApprovedBatch(read: BatchAnswer, answer: HttpAnswer, proof: boolean): boolean {
  // Empty says as little here as absent.
  return isApproved({ ...read, httpStatus: read.httpStatus || '200' }, answer, proof, isDeclined(read));
}
