import { checkTransactionOrder, isTraceable, type TransactionOrder } from '../api/schema/transaction-request.js';
import type { CallbackSettings } from '../base/callback.js';
import { toMinorDigits } from '../base/money.js';
import { withoutAbsent } from '../base/objects.js';
import type { Clock, NewId } from '../base/seams.js';
import type { Journal } from '../journal/journal.js';
import { type BackOfficeRecord, type OperationRecord, originalIn, type TerminalRecord } from '../journal/record.js';
import { requestedOf } from '../lifecycle/back-office/amounts.js';
import { beginBackOffice } from '../lifecycle/back-office/lifecycle.js';
import { soughtOnTerminal } from '../lifecycle/chain/sought.js';
import { begin } from '../lifecycle/terminal/lifecycle.js';
import {
  type BackOfficeDraft,
  type BackOfficeOrder,
  checkBackOfficeOrder,
  hasOwnReference,
  isBatchClose,
  originalOf,
} from '../operation/back-office-order.js';
import { isReversal, type Operation } from '../operation/kinds.js';
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
  callback?: CallbackSettings;
  /** This process, where several share the journal. */
  replica?: string;
}

/** A door asked for the operation. */
export interface Asked {
  /** Of its message. */
  id: string;
  /** How long ago, ms. */
  waitedMs: number;
}

/** Makes the record of an order: checked, complete, and not yet in the journal. */
export class RecordFactory {
  constructor(
    private readonly options: RecordFactoryOptions,
    private readonly owner: string,
  ) {}

  /** @throws InputError, JournalError */
  async ofTerminal({ request, policies, origin }: Order, asked?: Asked): Promise<TerminalRecord> {
    const blank = this.blank(origin, asked);
    const order = marked(checkTransactionOrder(request), blank.operationId);
    const { serial_number, terminal_type, operation } = order;
    const original = await this.recordOf(order.originalTransactionId);
    const reversed = await this.reversedBy(order, this.options.clock.now() + 1);
    const originalReference = original && chainReferenceOf(original);
    const isInChain = originalReference !== undefined && soughtOnTerminal(order) !== undefined;
    const kind = 'terminal' as const;
    const terminal = { serial_number, terminal_type };
    const state = Object.assign(begin(operation, policies, isTraceable(order), blank.createdAt), {
      ...(isInChain && { traceableBy: 'original' as const }),
      ...(this.options.callback !== undefined && { hasCallback: true as const }),
      ...holdTrait(operation, reversed),
    });
    // A record that is spread has a hidden class of its own, see `changed`.
    const own = { kind, operation, terminal, request: order, policies, state };
    return Object.assign(blank, reversed, withoutAbsent({ originalReference }), own);
  }

  /** @throws InputError, JournalError */
  async ofBackOffice(draft: BackOfficeDraft, origin: Origin, asked?: Asked): Promise<BackOfficeRecord> {
    const checked = checkBackOfficeOrder(draft);
    // The reference in a message may be another payment's, or one that was never used: the journal's comes first.
    const original = await this.recordOf(originalOf(checked));
    const originalReference = (original && chainReferenceOf(original)) ?? checked.originalReference;
    const blank = this.blank(origin, asked);
    const order = markedAtGateway({ ...checked, ...withoutAbsent({ originalReference }) }, blank.operationId);
    const traceable = hasOwnReference(order) || originalReference !== undefined;
    const reversed = await this.reversedBy(order, this.options.clock.now() + 1);
    return {
      ...blank,
      ...reversed,
      kind: 'back-office',
      operation: order.operation,
      ...terminalOf(order),
      request: order,
      state: beginBackOffice(
        order.operation,
        withoutAbsent({
          traceable,
          originalAt: original?.createdAt,
          saleKnownAt: order.operation === 'tip-adjustment' ? original?.updatedAt : undefined,
          startWithinMs: order.startWithinMs,
          ...retryTrait(order),
          ...refundTrait(order),
          ...holdTrait(order.operation, reversed),
        }),
        blank.createdAt,
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

  private blank(from: Origin, asked?: Asked) {
    const { clock, newId, replica } = this.options;
    const now = clock.now();
    // What waited for the leader is as old as if it had come here at once.
    const createdAt = now - (asked?.waitedMs ?? 0);
    const operationId = asked?.id ?? newId();
    const origin: Origin = replica === undefined ? from : { replica, ...from };
    return {
      operationId,
      environment: this.options.environment,
      service: this.options.service,
      owner: this.owner,
      origin,
      createdAt,
      updatedAt: now,
      references: [operationId],
      timeline: [{ at: createdAt, event: 'recorded' }],
      closed: false,
    };
  }

  /** The operation that made a transaction, where this journal knows it. */
  private async recordOf(transactionId: string | undefined): Promise<OperationRecord | undefined> {
    return transactionId === undefined ? undefined : (await this.options.journal.find({ transactionId }, 1))[0];
  }
}

/**
 * What brings no `customerReference` gets one of its own where nothing else says whose a result is: for a follow-up, whose entry of the
 * chain is known by it, and for what the service keeps under a reference of its own.
 */
function marked(order: TransactionOrder, operationId: string): TransactionOrder {
  const isKnown = soughtOnTerminal(order) === undefined && isTraceable(order);
  return isKnown || order.customerReference !== undefined ? order : { ...order, customerReference: operationId };
}

/** Gives a follow-up of the back office a `customerReference`, as {@link marked} does, where its endpoint takes one. */
function markedAtGateway(order: BackOfficeOrder, operationId: string): BackOfficeOrder {
  switch (order.operation) {
    case 'moto/refund':
      return { ...order, body: { ...order.body, customerReference: order.body.customerReference ?? operationId } };
    case 'preauthorization/capture':
      return { ...order, body: { ...order.body, customerReference: order.body.customerReference ?? operationId } };
    case 'preauthorization/increase':
      return { ...order, body: { ...order.body, customerReference: order.body.customerReference ?? operationId } };
    default:
      return order;
  }
}

/** Sent again after a lost answer it might close the next batch. */
function retryTrait(order: BackOfficeOrder): { notResendable?: true } {
  return isBatchClose(order) && order.body.batchNumber === undefined ? { notResendable: true } : {};
}

function refundTrait(order: BackOfficeOrder): { isLinkedRefund?: true } {
  return order.operation === 'moto/refund' && originalOf(order) !== undefined ? { isLinkedRefund: true } : {};
}

/** What the journal knows of an original may have changed since. */
function holdTrait(
  operation: Operation,
  { reverses }: Pick<OperationRecord, 'reverses'>,
): { mayBeHold?: 'hold' | 'unknown' } {
  return isReversal(operation) && reverses !== 'money' ? { mayBeHold: reverses ?? 'unknown' } : {};
}

function terminalOf({ operation, body }: BackOfficeOrder): Pick<OperationRecord, 'terminal'> {
  if (operation !== 'batch/close' && operation !== 'batch/summary' && operation !== 'batch/detail') return {};
  return { terminal: { serial_number: body.serialNumber, terminal_type: body.deviceType } };
}
