import * as z from 'zod';
import { post, type Read } from './back-office.js';
import { customFields, record, text, textOrNumber } from './schema/answer-fields.js';
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
  issuerResponseCode: textOrNumber,
  issuerResponseText: text,
  batchStatus: text,
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

export type BatchCloseResult = Read<z.output<typeof closeAnswer>>;
export type BatchSummaryResult = Read<z.output<typeof summaryAnswer>>;
export type BatchDetailResult = Read<z.output<typeof detailAnswer>>;

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
    if (!read.closeBatchGuid && read.batchStatus !== 'CLOSED')
      throw unreadable(answer, 'no word that the batch is closed');
    return read;
  }

  async summary(draft: BatchSummaryRequest, options: CallOptions = {}): Promise<BatchSummaryResult> {
    const body = checkBatchSummary(draft);
    return (await post(this.transport, ['batch', 'summary'], body, summaryAnswer, options)).read;
  }

  async detail(draft: BatchDetailRequest, options: CallOptions = {}): Promise<BatchDetailResult> {
    const body = checkBatchDetail(draft);
    return (await post(this.transport, ['batch', 'detail'], body, detailAnswer, options)).read;
  }
}
