import { checkTransactionOrder, isTraceable, type TransactionOrder } from '../api/schema/transaction-request.js';
import { toMinorDigits } from '../base/money.js';
import { present } from '../base/objects.js';
import type { Clock, NewId } from '../base/seams.js';
import type { Journal } from '../journal/journal.js';
import { type BackOfficeRecord, type OperationRecord, originalIn, type TerminalRecord } from '../journal/record.js';
import { askedOf } from '../lifecycle/back-office/amounts.js';
import { beginBackOffice } from '../lifecycle/back-office/lifecycle.js';
import { begin } from '../lifecycle/terminal/lifecycle.js';
import type { Note } from '../lifecycle/terminal/timeline.js';
import {
  type BackOfficeOrder,
  checkBackOfficeOrder,
  hasOwnReference,
  isBatchClose,
  originalOf,
} from '../operation/back-office-order.js';
import { takesBack } from '../operation/kinds.js';
import type { Order, Origin } from '../operation/order.js';
import { standingOf } from '../original/balance.js';
import { chainReferenceOf } from '../original/chain-reference.js';
import { whatIsUndone } from '../original/reversal.js';

interface Office {
  environment: string;
  /** See `service.ts`. */
  service: string;
  clock: Clock;
  newId: NewId;
  journal: Journal;
}

/** Makes the record of an order: checked, complete, and not yet written down. */
export class Registrar {
  constructor(
    private readonly office: Office,
    private readonly owner: string,
  ) {}

  /** @throws InputError, JournalError */
  async ofTerminal({ request, policies, origin }: Order): Promise<TerminalRecord> {
    const order = checkTransactionOrder(request);
    const { serial_number, terminal_type, operation } = order;
    const original = await this.recordOf(order.originalTransactionId);
    return {
      ...this.blank(origin),
      ...(await this.undoing(order, this.office.clock.now() + 1)),
      ...present('originalReference', original && chainReferenceOf(original)),
      kind: 'terminal',
      operation,
      terminal: { serial_number, terminal_type },
      request: order,
      policies,
      state: begin(operation, policies, isTraceable(order), this.office.clock.now()),
    };
  }

  /** @throws InputError, JournalError */
  async ofBackOffice(asked: BackOfficeOrder, origin: Origin): Promise<BackOfficeRecord> {
    const checked = checkBackOfficeOrder(asked);
    // What a message says may be of another payment, or a reference that was never used.
    const original = await this.recordOf(originalOf(checked));
    const originalReference = (original && chainReferenceOf(original)) ?? checked.originalReference;
    const order = { ...checked, ...present('originalReference', originalReference) };
    const traceable = hasOwnReference(order) || originalReference !== undefined;
    return {
      ...this.blank(origin),
      ...(await this.undoing(order, this.office.clock.now() + 1)),
      kind: 'back-office',
      operation: order.operation,
      ...terminalOf(order),
      request: order,
      state: beginBackOffice(
        order.operation,
        { traceable, ...present('originalAt', original?.createdAt), ...natureOf(order) },
        this.office.clock.now(),
      ),
    };
  }

  /** What an order takes back, as far as this journal knows by now. @param since when it came, epoch ms @throws JournalError */
  async undoing(
    order: TransactionOrder | BackOfficeOrder,
    since: number,
  ): Promise<Pick<OperationRecord, 'undoes' | 'whole'>> {
    const original = originalIn({ request: order });
    if (original === undefined || !takesBack(order.operation)) return {};
    const { journal } = this.office;
    const isWhole = ('body' in order ? askedOf(order) : order.amount) === undefined;
    const { whole, currency = '' } =
      (isWhole && (await standingOf((query, limit) => journal.find(query, limit), original))) || {};
    return {
      ...present('undoes', await whatIsUndone(journal, original, since)),
      ...present('whole', whole === undefined ? undefined : { amount: toMinorDigits(whole), currency }),
    };
  }

  private blank(origin: Origin) {
    const now = this.office.clock.now();
    const operationId = this.office.newId();
    return {
      operationId,
      environment: this.office.environment,
      service: this.office.service,
      owner: this.owner,
      origin,
      createdAt: now,
      updatedAt: now,
      references: [operationId],
      timeline: [{ at: now, event: 'recorded' satisfies Note }],
      closed: false,
    };
  }

  /** What made a transaction, where this journal knows it. */
  private async recordOf(transactionId: string | undefined): Promise<OperationRecord | undefined> {
    return transactionId === undefined ? undefined : (await this.office.journal.find({ transactionId }, 1))[0];
  }
}

/** What of an order decides how a lost answer to it is met. */
function natureOf(order: BackOfficeOrder): { part?: true; once?: true } {
  if (isBatchClose(order)) return order.body.batchNumber === undefined ? { once: true } : {};
  const isReversal = order.operation === 'reversal' || order.operation === 'moto/reversal';
  return isReversal && order.body.amount !== undefined ? { part: true } : {};
}

function terminalOf({ operation, body }: BackOfficeOrder): Pick<OperationRecord, 'terminal'> {
  if (operation !== 'batch/close' && operation !== 'batch/summary' && operation !== 'batch/detail') return {};
  return { terminal: { serial_number: body.serialNumber, terminal_type: body.deviceType } };
}
