import type { NewId } from '../../../core/base/seams.js';
import type { Bank } from '../../gateway/bank.js';
import type { Batch, Batches } from '../../gateway/batches.js';
import type { Problem } from '../../gateway/reversals.js';
import type { Merchant } from '../../model/merchant.js';
import { timestamp } from '../../model/timestamp.js';
import type { Transaction } from '../../model/transaction.js';
import { toMajor } from '../../model/units.js';
import type { Variants } from '../../model/variants.js';
import { type Body, checked } from '../../wire/checks.js';
import { type Answer, json, nestedError } from '../../wire/errors.js';
import { notOffered, refusalAnswer } from './refusals.js';
import { type BatchCommand, batchBody } from './request-rules.js';

/** Holds move no money, so they are in no batch. */
const WITHOUT_MONEY = new Set(['PRE_AUTHORIZATION', 'PRE_AUTHORIZATION_INCREASE']);

/** Closes batches, and reports their contents. Group B only; every number is a string here. */
export class BatchOperations {
  constructor(
    private readonly newId: NewId,
    private readonly bank: Bank,
    private readonly batches: Batches,
    private readonly variants: Variants,
  ) {}

  answer(command: BatchCommand, body: unknown, merchant: Merchant): Answer {
    if (merchant.group !== 'B') return notOffered('Batch settlement');
    return checked(batchBody(command, merchant), body, (fields) => {
      const isOwn = merchant.terminals.some(
        ({ serial_number, terminal_type }) =>
          serial_number === fields.serialNumber && terminal_type === fields.deviceType,
      );
      if (!isOwn) return refusalAnswer({ code: '1004', message: 'Authorization not available for this device' });
      return command === 'close' ? this.close(fields, merchant) : this.look(command, fields, merchant);
    });
  }

  private close({ batchNumber }: Body, merchant: Merchant): Answer {
    const open = this.batches.open(merchant);
    const missed = this.batches.missed(merchant);
    if (missed !== undefined) {
      if (missed.number !== batchNumber) {
        return this.refusal({ code: 'BATCH_NUM_ERR_005', message: 'A daily close was missed' });
      }
      missed.missed = false;
      return this.closed(missed);
    }
    if (batchNumber !== undefined && batchNumber !== open.number) {
      const isUnknown = this.batches.find(merchant, String(batchNumber)) === undefined;
      return this.refusal(isUnknown ? NOTHING_TO_CLOSE : ALREADY_CLOSED);
    }
    if (moneyOf(open).length > 0) return this.closed(this.batches.close(merchant));
    return this.refusal(this.batches.wasClosedToday(merchant) ? ALREADY_CLOSED : NOTHING_TO_CLOSE);
  }

  private closed(batch: Batch): Answer {
    return json(200, { ...common(batch), ...this.totals(batch), closeBatchGuid: this.newId() });
  }

  private look(command: 'summary' | 'detail', { batchNumber, rrn }: Body, merchant: Merchant): Answer {
    const batch = this.batches.find(merchant, String(batchNumber));
    if (batch === undefined) return this.refusal({ code: 'NO_TRANSACTIONS', message: 'No such batch' });
    if (command === 'summary') {
      const entry = [{ key: 'transactionCount', value: String(moneyOf(batch).length) }];
      const own = { batchSummaryGuid: this.newId(), customFields: { entry }, customerReference: {} };
      return json(200, { ...common(batch), ...this.totals(batch), ...own });
    }
    const details = moneyOf(batch)
      .filter((one) => rrn === undefined || one.rrn === rrn)
      .map((one) => ({
        transactionType: one.type,
        amount: toMajor(one.amounts.total, one.currency),
        retrievalReferenceNumber: one.rrn,
        batchDetailElementGuid: this.newId(),
      }));
    return json(200, { ...common(batch), batchDetailGuid: this.newId(), details });
  }

  private refusal(problem: Problem): Answer {
    if (this.variants.batchErrors === 'flat') return refusalAnswer(problem);
    return nestedError(problem.code, problem.message, this.newId());
  }

  /** In the currency of its first transaction: a batch has one. */
  private totals(batch: Batch) {
    const transactions = moneyOf(batch);
    const net = transactions.reduce((sum, { id }) => sum + this.bank.movedBy(id), 0);
    return {
      transactionCount: String(transactions.length),
      netAmount: toMajor(net, transactions[0]?.currency ?? 'USD'),
    };
  }
}

const ALREADY_CLOSED: Problem = { code: 'BATCH_ALREADY_CLOSED', message: 'The batch is already closed' };
const NOTHING_TO_CLOSE: Problem = { code: 'NO_TRANSACTIONS', message: 'The batch has no transactions' };

function common({ number, closedAt }: Batch) {
  return {
    httpStatus: '200',
    batchNumber: number,
    closedAt: closedAt === undefined ? '' : timestamp(closedAt),
    issuerResponseCode: '00',
    issuerResponseText: 'Approved',
    batchStatus: closedAt === undefined ? 'OPEN' : 'CLOSED',
  };
}

function moneyOf(batch: Batch): Transaction[] {
  return batch.transactions.filter(({ type }) => !WITHOUT_MONEY.has(type));
}
