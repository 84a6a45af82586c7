import type { NewId } from '../../core/base/seams.js';
import type { Card } from '../model/cards.js';
import type { Merchant } from '../model/merchant.js';
import {
  type Amounts,
  amountsOf,
  type Decision,
  type Echo,
  type Transaction,
  wasApproved,
} from '../model/transaction.js';
import { type Trigger, triggerFor, wantedAnswer } from '../model/triggers.js';
import type { Variants } from '../model/variants.js';
import type { EntryMode, FinStatus, ResultType, Verification } from '../model/vocabulary.js';
import type { Bank, EntryKind } from './bank.js';
import type { Batches } from './batches.js';
import type { Chains } from './chains.js';
import { APPROVED, failure, gatewayDecline, issuerDecline } from './decisions.js';

/** A payment as it reaches the gateway, whether or not a card was read. Amounts in minor units. */
export interface Attempt {
  id: string;
  reference: string;
  merchant: Merchant;
  serial: string;
  type: ResultType;
  currency: string;
  amount: number;
  tip: number;
  card: Card | undefined;
  verification: Verification;
  /** The card was tokenised first; empty otherwise. */
  cardToken: string;
  /** The sale that a linked refund refunds; empty otherwise. */
  originalId: string;
  /** `merchantAuth.externalId`, if it was sent. */
  externalId?: string;
  echo: Echo;
}

export interface Authorisation extends Attempt {
  card: Card;
}

/** The issuer wants the card inserted and a PIN; nothing is on record yet. */
export interface AuthenticationWanted {
  authenticate: string;
}

const DAY = 24 * 60 * 60 * 1000;
/** The shortest time for which a card network keeps a hold. */
const HOLD_LIFE = 7 * DAY;

/** The issuer declines every card with this ending (05), at every merchant. */
const DECLINING_CARD = '0002';

/** Where a surcharge is taken. */
const SURCHARGE_PERCENT = 3;

const HOLDING: ReadonlySet<ResultType> = new Set(['PRE_AUTHORIZATION']);
const GIVING_BACK: ReadonlySet<ResultType> = new Set(['REFUND', 'MOTO_REFUND']);
/** Types of transaction that can be refunded. */
const REFUNDABLE: ReadonlySet<ResultType> = new Set([
  'SALE',
  'SALE_AND_TOKENIZE_CARD',
  'MOTO_SALE',
  'PRE_AUTHORIZATION_CAPTURE',
]);

/** Authorises card payments in place of the issuer, moves the money, and publishes to the status service. */
export class Gateway {
  private serials = 0;
  /** Holds that have not expired, oldest first. */
  private readonly holds: Transaction[] = [];

  constructor(
    private readonly now: () => number,
    private readonly random: () => number,
    readonly newId: NewId,
    private readonly bank: Bank,
    readonly chains: Chains,
    readonly batches: Batches,
    readonly variants: Variants,
  ) {}

  /** @param wanted the kind of the fault that decides what the bank says, if any */
  authorise(asked: Authorisation, wanted?: string): Transaction | AuthenticationWanted {
    const refusal = this.refusalOf(asked);
    if (refusal !== undefined) return this.refuse(asked, refusal);
    if (wanted !== undefined) return this.decide(asked, wantedAnswer(wanted, asked.amount));
    if (asked.card.pan.endsWith(DECLINING_CARD)) return this.refuse(asked, issuerDecline('05'));
    const trigger = asked.merchant.demo ? triggerFor(asked.amount) : undefined;
    if (trigger?.outcome === 'authenticate' && !isAuthenticated(asked)) return { authenticate: trigger.code };
    return this.decide(asked, trigger);
  }

  /** Puts a payment on record that certainly moves no money. */
  refuse(asked: Attempt, decision: Decision): Transaction {
    return this.keep(asked, decision, amountsOf(asked.amount + asked.tip, { requested: asked.amount, tip: asked.tip }));
  }

  /** The bank says late that it has approved what is on record as failed. */
  approveAfterAll(failed: Transaction): void {
    failed.decision = { ...APPROVED, approvalCode: this.approvalCode() };
    const { amounts } = failed;
    if (HOLDING.has(failed.type)) amounts.hold = amounts.requested;
    else {
      amounts.surcharge = this.surchargeOn(amounts.total);
      amounts.total += amounts.surcharge;
    }
    this.batches.open(failed.merchant).transactions.push(failed);
    this.carryOut(failed);
    this.setStatus(failed, 'AUTHORISED');
  }

  /** Puts an approved follow-up on record, and its money in the ledger. */
  followUp(
    original: Transaction,
    what: {
      type: ResultType;
      /** What the entry names as its original, where that is not `original`. */
      originalId?: string;
      amounts: Amounts;
      kind: EntryKind;
      moved: number;
      held: number;
      serial?: string;
      echo?: Echo;
    },
  ): Transaction {
    const { merchant, reference, currency, card, echo } = original;
    const transaction = this.record({
      id: this.newId(),
      reference,
      originalId: what.originalId ?? original.id,
      merchant,
      serial: what.serial ?? '',
      type: what.type,
      currency,
      card,
      entry: what.serial === undefined || what.serial === '' ? 'CNP' : original.entry,
      verification: 'NOT_REQUIRED',
      cardToken: '',
      echo: what.echo ?? echo,
      amounts: what.amounts,
      decision: { ...APPROVED, approvalCode: this.approvalCode() },
    });
    this.move(transaction, what.kind, what.moved, what.held);
    return transaction;
  }

  /** Changes the money of an existing transaction, for example by a tip. */
  move(transaction: Transaction, kind: EntryKind, moved: number, held: number): void {
    const { merchant, serial, reference, id, originalId, currency, echo } = transaction;
    this.bank.post({
      at: this.now(),
      kind,
      merchant: merchant.id,
      serial,
      reference,
      transactionId: id,
      originalId,
      customerReference: echo.customerReference,
      currency,
      moved,
      held,
    });
  }

  /** Publishes a transaction's new status. `at`: epoch ms; now by default. */
  setStatus(transaction: Transaction, status: FinStatus, at = this.now()): void {
    transaction.status = status;
    this.chains.publish(transaction, at);
  }

  /** Expires holds whose time is over. This happens at the next read, so no timer is needed. */
  lapse(): void {
    for (let hold = this.holds[0]; hold !== undefined && this.now() >= hold.at + HOLD_LIFE; hold = this.holds[0]) {
      this.holds.shift();
      if (hold.status !== 'AUTHORISED') continue;
      this.move(hold, 'release', 0, -hold.amounts.hold);
      hold.amounts.hold = 0;
      this.setStatus(hold, 'CANCELLED', hold.at + HOLD_LIFE);
    }
  }

  private refusalOf({ merchant, externalId, type, card, originalId, amount, currency }: Authorisation) {
    if (externalId !== undefined && !merchant.externalIds.includes(externalId))
      return gatewayDecline('Invalid Merchant');
    if (merchant.capabilities.debitCardsOnly && !merchant.demo && card.tender !== 'DEBIT') {
      return gatewayDecline('Only debit cards are accepted');
    }
    if (!GIVING_BACK.has(type) || originalId === '') return undefined;
    return this.refundProblem(originalId, merchant, amount, currency);
  }

  private refundProblem(
    originalId: string,
    merchant: Merchant,
    amount: number,
    currency: string,
  ): Decision | undefined {
    const original = this.chains.find(originalId, merchant);
    if (original === undefined || !REFUNDABLE.has(original.type) || !wasApproved(original)) {
      return gatewayDecline('No transaction found to refund', '3153');
    }
    if (original.currency !== currency) return gatewayDecline('Refund currency differs from the original', '3210');
    const most = this.variants.refundBeyondRest === 'done' ? takenBy(original) : refundable(original);
    return amount > most ? gatewayDecline('Refund amount exceeds the original', '3209') : undefined;
  }

  private decide(asked: Authorisation, trigger: Trigger | undefined): Transaction {
    const { amount, tip, type } = asked;
    if (trigger?.outcome === 'declined') return this.refuse(asked, issuerDecline(trigger.code));
    if (trigger?.outcome === 'failed') return this.refuse(asked, failure(trigger.message));
    if (trigger?.outcome === 'partial' && type === 'SALE') {
      const amounts = amountsOf(amount, { total: trigger.approved, due: amount + tip - trigger.approved });
      return this.approve(
        asked,
        { ...APPROVED, finStatus: 'PARTIAL_APPROVAL', statusMessage: 'Partially approved' },
        amounts,
      );
    }
    const hold = HOLDING.has(type) ? amount : 0;
    const surcharge = HOLDING.has(type) || GIVING_BACK.has(type) ? 0 : this.surchargeOn(amount + tip);
    const total = amount + tip + surcharge;
    return this.approve(asked, APPROVED, amountsOf(amount, { total, tip, surcharge, hold }));
  }

  private approve(asked: Authorisation, decision: Decision, amounts: Amounts): Transaction {
    const transaction = this.keep(asked, { ...decision, approvalCode: this.approvalCode() }, amounts);
    this.carryOut(transaction);
    return transaction;
  }

  private carryOut(transaction: Transaction): void {
    const { type, amounts } = transaction;
    if (HOLDING.has(type)) {
      this.move(transaction, 'hold', 0, amounts.hold);
      this.holds.push(transaction);
    } else if (GIVING_BACK.has(type)) this.giveBack(transaction);
    else this.move(transaction, 'charge', amounts.total, 0);
  }

  private giveBack(refund: Transaction): void {
    this.move(refund, 'refund', -refund.amounts.total, 0);
    const original = this.chains.original(refund);
    if (original === undefined) return;
    original.refunded += refund.amounts.total;
    if (refundable(original) <= 0) this.setStatus(original, this.variants.refundedSale);
    else this.partlyReturned(original);
  }

  /** A part went back, of a sale or of a capture; only a sale shows it. */
  partlyReturned(sale: Transaction): void {
    if (sale.originalId !== '') return;
    const { partlyReturnedSale, returnEntry, cancelledInPart } = this.variants;
    if (returnEntry === 'own' && cancelledInPart === 'yes') this.setStatus(sale, 'CANCELLED');
    else if (partlyReturnedSale === 'REFUNDED' || returnEntry === 'in-payment') this.setStatus(sale, 'REFUNDED');
  }

  /** On top of an amount in minor units, where a surcharge is taken. */
  surchargeOn(amount: number): number {
    return this.variants.surcharge === 'none' ? 0 : Math.ceil((amount * SURCHARGE_PERCENT) / 100);
  }

  private keep(asked: Attempt, decision: Decision, amounts: Amounts): Transaction {
    const { id, merchant, serial, type, currency, card, verification, cardToken, originalId, echo } = asked;
    const original = originalId === '' ? undefined : this.chains.find(originalId, merchant);
    const reference = original?.reference ?? asked.reference;
    const entry: EntryMode = card?.entry ?? 'CNP';
    return this.record({
      id,
      reference,
      originalId,
      merchant,
      serial,
      type,
      currency,
      card,
      entry,
      verification,
      cardToken,
      echo,
      amounts,
      decision,
    });
  }

  private record(
    facts: Omit<Transaction, 'at' | 'rrn' | 'batchNumber' | 'status' | 'reversed' | 'refunded' | 'settled' | 'views'>,
  ): Transaction {
    const batch = this.batches.open(facts.merchant);
    const transaction: Transaction = {
      ...facts,
      at: this.now(),
      rrn: String(++this.serials).padStart(12, '0'),
      batchNumber: facts.merchant.group === 'B' ? batch.number : '',
      status: facts.decision.finStatus,
      reversed: 0,
      refunded: 0,
      settled: false,
      views: [],
    };
    if (wasApproved(transaction)) batch.transactions.push(transaction);
    this.chains.add(transaction);
    return transaction;
  }

  private approvalCode(): string {
    return String(Math.floor(this.random() * 1_000_000)).padStart(6, '0');
  }
}

/** The amount of a sale or capture that can still be refunded, minor units; negative where more went back than it took. */
export function refundable({ amounts, reversed, refunded, type }: Transaction): number {
  return takenBy({ type, amounts }) - reversed - refunded;
}

/** What a transaction took, or gave back, as a whole; minor units. */
export function takenBy({ type, amounts }: Pick<Transaction, 'type' | 'amounts'>): number {
  const { captured, tip, surcharge, total } = amounts;
  return type === 'PRE_AUTHORIZATION_CAPTURE' ? captured + tip + surcharge : total;
}

/** Chip and PIN satisfy an issuer that requires authentication. */
function isAuthenticated({ card, verification }: Authorisation): boolean {
  return card.entry === 'ICC' && verification === 'PIN';
}
