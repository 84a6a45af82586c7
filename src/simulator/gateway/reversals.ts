import type { Merchant } from '../model/merchant.js';
import { amountsOf, type Echo, type Transaction, wasApproved } from '../model/transaction.js';
import type { Variants } from '../model/variants.js';
import type { ResultType } from '../model/vocabulary.js';
import { type Gateway, refundable, takenBy } from './gateway.js';

/** Why the gateway refused a follow-up; `code` is the service's own. */
export interface Problem {
  code: string;
  message: string;
}

export interface ReversalRequest {
  merchant: Merchant;
  originalId: string;
  /** Minor units; absent: in full. */
  amount?: number;
  currency?: string;
  /** Serial number of the terminal; empty for the back office. */
  serial: string;
  /** The terminal reverses an approval it has just received; neither settlement nor capabilities prevent that. */
  forced?: boolean;
  /** `preAuthorizationReversal` of a captured hold on a terminal cancels the capture. */
  cancelsCapture?: boolean;
  echo?: Echo;
}

const NOTHING_TO_REVERSE: Problem = { code: '3153', message: 'No message found to reverse' };
const ALREADY_REVERSED: Problem = { code: '3051', message: 'The transaction is already reversed' };
const COMPLETED: Problem = { code: '3052', message: 'The authorisation is already completed' };
const TOO_MUCH: Problem = { code: '4066', message: 'The partial amount exceeds the original' };
const NO_PARTIALS: Problem = { code: '3109', message: 'Partial reversals are not supported' };

/** Reverses transactions, in full or in part; holds only in full. */
export class Reversals {
  constructor(
    private readonly gateway: Gateway,
    private readonly variants: Variants,
  ) {}

  reverse(request: ReversalRequest): Transaction | Problem {
    const original = this.originalOf(request);
    if (original === undefined) return NOTHING_TO_REVERSE;
    switch (original.type) {
      case 'SALE':
      case 'SALE_AND_TOKENIZE_CARD':
      case 'MOTO_SALE':
      case 'REFUND':
      case 'MOTO_REFUND':
      case 'PRE_AUTHORIZATION_CAPTURE':
        return this.problemOf(original, request) ?? this.takeBack(original, request);
      case 'PRE_AUTHORIZATION':
        return this.release(original, request);
      default:
        return NOTHING_TO_REVERSE;
    }
  }

  /** Reverses an approval for the terminal that has just received it. @returns whether all of it has gone back */
  takeBackApproval(request: Pick<ReversalRequest, 'merchant' | 'originalId' | 'serial'>): boolean {
    if (!('code' in this.reverse({ ...request, forced: true }))) return true;
    const original = this.gateway.chains.find(request.originalId, request.merchant);
    if (original === undefined) return false;
    const isHold = original.type === 'PRE_AUTHORIZATION';
    return isHold ? original.status === 'CANCELLED' : original.reversed === takenBy(original);
  }

  /** Two codes say that there is nothing left to take back; which of them means what is read both ways. */
  private completed(problem: Problem): Problem {
    if (this.variants.completedCodes === 'by-state') return problem;
    return problem === ALREADY_REVERSED ? COMPLETED : ALREADY_REVERSED;
  }

  private originalOf({ originalId, merchant, forced = false }: ReversalRequest): Transaction | undefined {
    const found = this.gateway.chains.find(originalId, merchant);
    if (found === undefined || !wasApproved(found)) return undefined;
    const isCanadianDebit = found.card?.scheme === 'INTERAC' && found.type !== 'PRE_AUTHORIZATION' && !forced;
    return isCanadianDebit && this.variants.canadianDebitVoid === 'refused' ? undefined : found;
  }

  private problemOf(original: Transaction, { amount, currency, forced = false, merchant }: ReversalRequest) {
    const whole = takenBy(original);
    if (original.reversed === whole) return this.completed(ALREADY_REVERSED);
    if (original.refunded > 0 && this.variants.reversalAfterRefund === 'refused') return this.completed(COMPLETED);
    if (forced) return undefined;
    if (this.gateway.batches.isSettled(original)) return NOTHING_TO_REVERSE;
    if (currency !== undefined && currency !== original.currency) return NOTHING_TO_REVERSE;
    if (amount === undefined || amount === whole) return undefined;
    if (amount > whole) return TOO_MUCH;
    const offered = merchant.capabilities.partialReversalAllowed && merchant.group === 'B';
    return offered ? undefined : NO_PARTIALS;
  }

  /** A later partial reversal replaces an earlier one. */
  private takeBack(original: Transaction, request: ReversalRequest): Transaction {
    const whole = takenBy(original);
    const amount = request.amount ?? whole;
    const more = amount - original.reversed;
    const back = isRefund(original) ? more : -more;
    const reversal = this.undo(original, request, typeOf(original), amount, back);
    original.reversed = amount;
    if (isRefund(original)) this.leaveToRefund(original, more);
    if (amount === whole) this.close(original);
    else if (!isRefund(original)) this.gateway.partlyReturned(original);
    return reversal;
  }

  /** After the reversal of a refund, the refunded amount of its sale can be refunded again. */
  private leaveToRefund(refund: Transaction, amount: number): void {
    const sale = this.gateway.chains.original(refund);
    if (sale === undefined) return;
    const wasEmpty = refundable(sale) <= 0;
    sale.refunded -= amount;
    if (wasEmpty && refundable(sale) > 0) this.gateway.setStatus(sale, sale.decision.finStatus);
  }

  /** Only the first transaction of a chain shows the chain's status; for a captured hold that is the hold. */
  private close(original: Transaction): void {
    const first = this.gateway.chains.firstOf(original);
    if (first === original) {
      this.gateway.setStatus(original, isRefund(original) ? 'CANCELLED' : this.variants.reversedSale);
    } else if (original.type === 'PRE_AUTHORIZATION_CAPTURE') {
      this.gateway.setStatus(first, 'CANCELLED');
    }
  }

  private release(hold: Transaction, request: ReversalRequest): Transaction | Problem {
    if (hold.status === 'CAPTURED') {
      const capture = request.cancelsCapture === true ? this.captureOf(hold) : undefined;
      if (capture === undefined) return this.completed(COMPLETED);
      return this.problemOf(capture, request) ?? this.takeBack(capture, request);
    }
    if (hold.status !== 'AUTHORISED') return this.completed(ALREADY_REVERSED);
    const { amounts } = hold;
    const { amount = amounts.hold, currency = hold.currency } = request;
    if (currency !== hold.currency) return NOTHING_TO_REVERSE;
    if (amount !== amounts.hold) return amount > amounts.hold ? TOO_MUCH : NO_PARTIALS;
    const reversal = this.gateway.followUp(hold, {
      type: 'PRE_AUTHORIZATION_REVERSAL',
      amounts: amountsOf(amounts.hold),
      kind: 'release',
      moved: 0,
      held: -amounts.hold,
      serial: request.serial,
      echo: request.echo,
    });
    amounts.hold = 0;
    this.gateway.setStatus(hold, 'CANCELLED');
    return reversal;
  }

  private undo(original: Transaction, request: ReversalRequest, type: ResultType, amount: number, moved: number) {
    const { serial, echo } = request;
    return this.gateway.followUp(original, {
      type,
      amounts: amountsOf(amount),
      kind: 'reversal',
      moved,
      held: 0,
      serial,
      echo,
    });
  }

  private captureOf(hold: Transaction): Transaction | undefined {
    return this.gateway.chains
      .chain(hold.reference)
      ?.transactions.findLast(
        (one) => one.type === 'PRE_AUTHORIZATION_CAPTURE' && this.gateway.chains.firstOf(one) === hold,
      );
  }
}

function isRefund({ type }: Transaction): boolean {
  return type === 'REFUND' || type === 'MOTO_REFUND';
}

function typeOf({ type }: Transaction): ResultType {
  if (type === 'PRE_AUTHORIZATION_CAPTURE') return 'PRE_AUTHORIZATION_REVERSAL';
  return type.startsWith('MOTO_') ? 'MOTO_REVERSAL' : 'REVERSAL';
}
