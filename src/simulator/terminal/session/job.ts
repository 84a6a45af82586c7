import type { NewId } from '../../../core/base/seams.js';
import type { Gateway } from '../../gateway/gateway.js';
import type { Holds } from '../../gateway/holds.js';
import type { Reversals } from '../../gateway/reversals.js';
import type { Tokens } from '../../gateway/tokens.js';
import type { Timers } from '../../infra/clock.js';
import type { Faults } from '../../infra/faults.js';
import type { Merchant, TerminalConfig } from '../../model/merchant.js';
import type { Order } from '../../model/order.js';
import type { Timings } from '../../model/timings.js';
import { amountsOf } from '../../model/transaction.js';
import type { Variants } from '../../model/variants.js';
import type { FinStatus, ResultType } from '../../model/vocabulary.js';
import { plainFacts, type ResultFacts } from '../../results/result-facts.js';
import type { Results } from '../../results/result-store.js';
import type { Signatures } from '../../results/signatures.js';
import type { Screen, Stage } from './screen.js';
import type { Session } from './session.js';

/** The parts of the simulator that a terminal uses. */
export interface World {
  clock: Timers;
  newId: NewId;
  faults: Faults;
  timings: Timings;
  variants: Variants;
  gateway: Gateway;
  reversals: Reversals;
  holds: Holds;
  tokens: Tokens;
  results: Results;
  signatures: Signatures;
}

/** The record of a payment sent to the gateway whose outcome is unknown. It survives a power cut. */
export interface InFlight {
  transactionId: string;
  resultId: string;
  /** A follow-up to an earlier transaction, which a terminal never reverses by itself. */
  isFollowUp?: boolean;
  /** The terminal has decided to reverse, for this reason; it does so before it reports. */
  reversal?: ReversalReason;
  facts: ResultFacts;
}

/** `messageReasonCode` of a reversal that the terminal makes by itself. */
export type ReversalReason = '4002' | '4021' | '4351' | '4352' | '4353' | '4354' | '4580';

/** The result of a payment that the terminal itself has reversed. */
export function reversedFacts(facts: ResultFacts, reason: ReversalReason, finStatus: FinStatus): ResultFacts {
  return {
    ...facts,
    // The sale is both the subject of this result and the reversed original, so the two ids are equal.
    originalId: facts.transactionId,
    finStatus,
    statusMessage: 'Reversed by the terminal',
    errorMessage: 'Reversed by the terminal',
    customFields: [
      { key: 'messageReasonCode', value: '4000' },
      { key: 'messageReasonCode', value: reason },
    ],
  };
}

/** One accepted order with its result id. */
export interface Assignment {
  world: World;
  merchant: Merchant;
  terminal: TerminalConfig;
  order: Order;
  resultId: string;
}

/** One operation on a terminal, from the order to its result. */
export interface Job extends Assignment {
  session: Session;
  /** The terminal can reach the gateway. */
  isConnected(): boolean;
  cutPower(ms: number): void;
  /** A keyed entry was abandoned: the terminal stays busy until it is stopped. */
  abandon(): void;
  /** Stores the record that must survive a power cut; undefined removes it. */
  keep(inFlight: InFlight | undefined): void;
  /** Publishes an interim result to polls. */
  showInterim(facts: ResultFacts): void;
}

const TYPES: Record<Order['operation'], ResultType> = {
  sale: 'SALE',
  refund: 'REFUND',
  refundReversal: 'REVERSAL',
  saleReversal: 'REVERSAL',
  saleAndTokenizeCard: 'SALE_AND_TOKENIZE_CARD',
  tokenizeCard: 'TOKENIZE_CARD',
  printReceipt: 'UNDEFINED',
  cardPan: 'CARD_PAN',
  pingDevice: 'UNDEFINED',
  stopCurrentTransaction: 'UNDEFINED',
  moToSale: 'MOTO_SALE',
  moToRefund: 'MOTO_REFUND',
  moToReversal: 'MOTO_REVERSAL',
  moToPreAuthorization: 'PRE_AUTHORIZATION',
  preAuthorization: 'PRE_AUTHORIZATION',
  preAuthorizationIncrease: 'PRE_AUTHORIZATION_INCREASE',
  preAuthorizationCapture: 'PRE_AUTHORIZATION_CAPTURE',
  preAuthorizationReversal: 'PRE_AUTHORIZATION_REVERSAL',
};

export function typeOf({ operation, tokenize }: Order, { tokenizedSale }: Variants): ResultType {
  const storesCard = operation === 'saleAndTokenizeCard' || (operation === 'sale' && tokenize);
  return storesCard && tokenizedSale !== 'by-operation' ? tokenizedSale : TYPES[operation];
}

/** Facts of a result that the terminal itself decides; `own` gives the outcome. */
export function terminalFacts(
  { order, merchant, terminal, world }: Assignment,
  own: Partial<ResultFacts> & Pick<ResultFacts, 'finStatus'>,
): ResultFacts {
  const { customerReference, metadata, moneyRemittanceOptions } = order;
  return plainFacts(merchant, terminal.serial_number, world.clock.now(), {
    type: typeOf(order, world.variants),
    reference: order.transactionReference ?? '',
    originalId: order.originalTransactionId,
    currency: order.currency,
    amounts: amountsOf(order.amount, { total: 0 }),
    echo: { customerReference, metadata, moneyRemittanceOptions },
    ...own,
  });
}

export function screenOf({ order }: Job, stage: Stage, message: string, more: Partial<Screen> = {}): Screen {
  const { operation, amount, currency } = order;
  return { stage, message, operation, ...(currency === '' ? {} : { amount, currency }), ...more };
}
