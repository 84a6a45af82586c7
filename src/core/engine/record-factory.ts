import { checkTransactionOrder, isTraceable, type TransactionOrder } from '../api/schema/transaction-request.js';
import { toMinorDigits } from '../base/money.js';
import { withoutAbsent } from '../base/objects.js';
import type { Clock, NewId } from '../base/seams.js';
import type { Journal } from '../journal/journal.js';
import { type BackOfficeRecord, type OperationRecord, originalIn, type TerminalRecord } from '../journal/record.js';
import { requestedOf } from '../lifecycle/back-office/amounts.js';
import { beginBackOffice } from '../lifecycle/back-office/lifecycle.js';
import { begin } from '../lifecycle/terminal/lifecycle.js';
import {
  type BackOfficeDraft,
  type BackOfficeOrder,
  checkBackOfficeOrder,
  hasOwnReference,
  isBatchClose,
  originalOf,
} from '../operation/back-office-order.js';
import { isReversal } from '../operation/kinds.js';
import type { Order, Origin } from '../operation/order.js';
import { balanceOf } from '../original/balance.js';
import { chainReferenceOf } from '../original/chain-reference.js';
import { reversedKindOf } from '../original/reversal.js';

interface RecordFactoryOptions {
  environment: string;
  /** See `service-id.ts`. */
  service: string;
  clock: Clock;
  newId: NewId;
  journal: Journal;
}

/** Makes the record of an order: checked, complete, and not yet in the journal. */
export class RecordFactory {
  constructor(
    private readonly options: RecordFactoryOptions,
    private readonly owner: string,
  ) {}

  /** @throws InputError, JournalError */
  async ofTerminal({ request, policies, origin }: Order): Promise<TerminalRecord> {
    const order = checkTransactionOrder(request);
    const { serial_number, terminal_type, operation } = order;
    const original = await this.recordOf(order.originalTransactionId);
    return {
      ...this.blank(origin),
      ...(await this.reversedBy(order, this.options.clock.now() + 1)),
      ...withoutAbsent({ originalReference: original && chainReferenceOf(original) }),
      kind: 'terminal',
      operation,
      terminal: { serial_number, terminal_type },
      request: order,
      policies,
      state: begin(operation, policies, isTraceable(order), this.options.clock.now()),
    };
  }

  /** @throws InputError, JournalError */
  async ofBackOffice(draft: BackOfficeDraft, origin: Origin): Promise<BackOfficeRecord> {
    const checked = checkBackOfficeOrder(draft);
    // The reference in a message may be another payment's, or one that was never used: the journal's comes first.
    const original = await this.recordOf(originalOf(checked));
    const originalReference = (original && chainReferenceOf(original)) ?? checked.originalReference;
    const order = { ...checked, ...withoutAbsent({ originalReference }) };
    const traceable = hasOwnReference(order) || originalReference !== undefined;
    return {
      ...this.blank(origin),
      ...(await this.reversedBy(order, this.options.clock.now() + 1)),
      kind: 'back-office',
      operation: order.operation,
      ...terminalOf(order),
      request: order,
      state: beginBackOffice(
        order.operation,
        withoutAbsent({
          traceable,
          originalAt: original?.createdAt,
          startWithinMs: order.startWithinMs,
          ...retryTraits(order),
          ...refundTrait(order),
        }),
        this.options.clock.now(),
      ),
    };
  }

  /** What an order reverses, as far as this journal knows by now. @param since when the order came, epoch ms @throws JournalError */
  async reversedBy(
    order: TransactionOrder | BackOfficeOrder,
    since: number,
  ): Promise<Pick<OperationRecord, 'reverses' | 'reversedAmount'>> {
    const original = originalIn({ request: order });
    if (original === undefined || !isReversal(order.operation)) return {};
    const { journal } = this.options;
    const isWhole = ('body' in order ? requestedOf(order) : order.amount) === undefined;
    const { total, currency = '' } =
      (isWhole && (await balanceOf((query, limit) => journal.find(query, limit), original))) || {};
    return withoutAbsent({
      reverses: await reversedKindOf(journal, original, since),
      reversedAmount: total === undefined ? undefined : { amount: toMinorDigits(total), currency },
    });
  }

  private blank(origin: Origin) {
    const now = this.options.clock.now();
    const operationId = this.options.newId();
    return {
      operationId,
      environment: this.options.environment,
      service: this.options.service,
      owner: this.owner,
      origin,
      createdAt: now,
      updatedAt: now,
      references: [operationId],
      timeline: [{ at: now, event: 'recorded' }],
      closed: false,
    };
  }

  /** The operation that made a transaction, where this journal knows it. */
  private async recordOf(transactionId: string | undefined): Promise<OperationRecord | undefined> {
    return transactionId === undefined ? undefined : (await this.options.journal.find({ transactionId }, 1))[0];
  }
}

/** The traits of an order that decide whether it can be sent again after a lost answer. */
function retryTraits(order: BackOfficeOrder): { partial?: true; notResendable?: true } {
  if (isBatchClose(order)) return order.body.batchNumber === undefined ? { notResendable: true } : {};
  const isReversal = order.operation === 'reversal' || order.operation === 'moto/reversal';
  return isReversal && order.body.amount !== undefined ? { partial: true } : {};
}

function refundTrait(order: BackOfficeOrder): { isLinkedRefund?: true } {
  return order.operation === 'moto/refund' && originalOf(order) !== undefined ? { isLinkedRefund: true } : {};
}

function terminalOf({ operation, body }: BackOfficeOrder): Pick<OperationRecord, 'terminal'> {
  if (operation !== 'batch/close' && operation !== 'batch/summary' && operation !== 'batch/detail') return {};
  return { terminal: { serial_number: body.serialNumber, terminal_type: body.deviceType } };
}
