import { failure, gatewayDecline, issuerDecline } from '../../gateway/decisions.js';
import type { AuthenticationWanted, Authorisation } from '../../gateway/gateway.js';
import { type Card, makeCard } from '../../model/cards.js';
import { honoursReference } from '../../model/reading-values.js';
import { amountsOf, type Decision, type Transaction, wasApproved } from '../../model/transaction.js';
import type { Verification } from '../../model/vocabulary.js';
import { factsOf, type ResultFacts } from '../../results/result-facts.js';
import { askGateway, NO_ANSWER } from '../session/gateway-link.js';
import { type InFlight, type Job, screenOf, terminalFacts, typeOf } from '../session/job.js';
import { Cancelled } from '../session/session.js';
import { afterApproval } from './after-approval.js';
import { type CardRead, readCard, readKeyedCard, verifyHolder } from './card-reader.js';
import { beforeCard, isRepetition } from './prompts.js';

/** How late the card is asked for, and how late a bank says that it has approved after all; ms. */
const DEFAULT_CARD_DELAY = 85_000;
const DEFAULT_CHANGE_OF_MIND = 60_000;

/** Every operation that takes a card to the gateway, read in front of the terminal or keyed in. */
export async function payByCard(job: Job, duplicates: Duplicates): Promise<ResultFacts> {
  const refusal = refusedByCapability(job);
  if (refusal !== undefined) return refusal;
  const { tip } = await beforeCard(job);
  const card = await takeCard(job);
  if (card === 'timeout' && isKeyed(job) && job.world.variants.keyedTimeout === 'busy-until-stop') job.abandon();
  if (typeof card === 'string') return unread(job, card);
  const isKnown = job.order.isReferenceUsed || duplicates.knows(job.order, card);
  if (job.order.duplicateCheck && isKnown && !(await isRepetition(job))) {
    return terminalFacts(job, { finStatus: 'CANCELLED', statusMessage: 'Duplicate transaction declined', card });
  }
  const verification = await verifyHolder(job, card);
  if (verification === 'timeout') return unread(job, 'timeout', card);
  duplicates.note(job.order, card);
  return authorise(job, { card, verification, tip });
}

/** A terminal's record of recent payments. */
export interface Duplicates {
  knows(order: Job['order'], card: Card): boolean;
  note(order: Job['order'], card: Card): void;
}

interface Presented {
  card: Card;
  verification: Verification;
  tip: number;
}

async function authorise(job: Job, presented: Presented): Promise<ResultFacts> {
  const asked = authorisationOf(job, presented);
  const { card } = presented;
  const facts = terminalFacts(job, {
    finStatus: 'UNDEFINED',
    statusMessage: 'No response from the gateway',
    transactionId: asked.id,
    reference: asked.reference,
    card,
    verification: asked.verification,
  });
  const inFlight: InFlight = { transactionId: asked.id, resultId: job.resultId, facts };
  const answer = await askGateway(job, inFlight, () => decide(job, asked));
  if (answer === NO_ANSWER) return facts;
  if ('authenticate' in answer) return authenticate(job, presented, answer);
  if ('declined' in answer) return tryAgain(job, presented, answer.declined);
  const result = factsOf(answer);
  return wasApproved(answer) ? afterApproval(job, inFlight, answer, result) : result;
}

/** The issuer has declined, and the terminal lets the cardholder try once more. */
interface SecondTry {
  declined: Transaction;
}

/** What the gateway does with it; three wrong PINs it only puts on record. */
function decide(job: Job, asked: Authorisation): Transaction | AuthenticationWanted | SecondTry {
  const { world, session, order, terminal } = job;
  if (asked.verification === 'FAILED') return world.gateway.refuse(asked, issuerDecline('75'));
  const isOriginal = asked.originalId === '';
  const circumstance = { serial: terminal.serial_number, operation: order.operation, reference: asked.reference };
  const fault = isOriginal && !isKeyed(job) ? world.faults.at('decision', circumstance) : undefined;
  if (fault?.kind === 'declined-then-approved') return { declined: world.gateway.refuse(asked, issuerDecline('55')) };
  if (fault !== undefined) {
    const failed = world.gateway.refuse(asked, failure('Connection to the authorisation provider failed'));
    const ms = Math.min(fault.ms ?? DEFAULT_CHANGE_OF_MIND, session.leftForCard);
    world.clock.after(ms, () => world.gateway.approveAfterAll(failed));
    return failed;
  }
  const bank = world.faults.at('bank', circumstance);
  const answer = world.gateway.authorise(asked, bank?.kind);
  return 'authenticate' in answer && asked.card.entry === 'CNP'
    ? world.gateway.refuse(asked, issuerDecline(answer.authenticate))
    : answer;
}

/** The issuer requires chip and PIN. Without them the payment is declined with the issuer's code. */
async function authenticate(job: Job, presented: Presented, { authenticate: code }: AuthenticationWanted) {
  job.keep(undefined);
  const isOver = presented.card.entry === 'ICC' || job.world.variants.authentication === 'declined';
  const card = isOver ? 'unreadable' : await unlessCancelled(readCard(job, 'insert-card', 'ICC'));
  if (typeof card !== 'string') {
    const verification = await verifyHolder(job, { ...card, verification: 'PIN' });
    if (verification === 'PIN') return authorise(job, { ...presented, card, verification });
  }
  const asked = authorisationOf(job, presented);
  const transaction = job.world.gateway.refuse(asked, issuerDecline(code));
  return factsOf(transaction);
}

/** Without a second card the first answer stands. */
async function tryAgain(job: Job, presented: Presented, declined: Transaction): Promise<ResultFacts> {
  job.keep(undefined);
  const card = await unlessCancelled(readCard(job));
  if (typeof card === 'string') return factsOf(declined);
  const verification = await unlessCancelled(verifyHolder(job, card));
  return verification === 'timeout' ? factsOf(declined) : authorise(job, { ...presented, card, verification });
}

/** A cardholder who cancels here has declined to authenticate, or to try again, not the payment. */
function unlessCancelled<T>(reading: Promise<T>): Promise<T | 'timeout'> {
  return reading.catch((error: unknown): 'timeout' => {
    if (error instanceof Cancelled) return 'timeout';
    throw error;
  });
}

function authorisationOf(
  { order, merchant, terminal, world }: Job,
  { card, verification, tip }: Presented,
): Authorisation {
  const { operation, transactionReference, currency, amount, originalTransactionId, externalId } = order;
  const { customerReference, metadata, moneyRemittanceOptions } = order;
  const honoured = honoursReference(operation, world.variants) ? transactionReference : undefined;
  return {
    id: world.newId(),
    reference: honoured ?? world.newId(),
    merchant,
    serial: terminal.serial_number,
    type: typeOf(order, world.variants),
    currency,
    amount,
    tip,
    card,
    verification,
    cardToken: order.operation === 'saleAndTokenizeCard' || order.tokenize ? world.tokens.issue(card, merchant) : '',
    originalId: operation === 'refund' || operation === 'moToRefund' ? originalTransactionId : '',
    externalId,
    echo: { customerReference, metadata, moneyRemittanceOptions },
  };
}

async function takeCard(job: Job): Promise<CardRead> {
  const { order, world, merchant, terminal } = job;
  const circumstance = { serial: terminal.serial_number, operation: order.operation };
  const fault = world.faults.at('awaiting-card', circumstance);
  if (fault?.kind === 'power-cut-awaiting-card') job.cutPower(fault.ms ?? 60_000);
  if (fault?.kind === 'card-read-late') {
    const ms = Math.min(fault.ms ?? DEFAULT_CARD_DELAY, job.session.leftForCard);
    await job.session.pause(screenOf(job, 'idle', 'Please wait'), ms);
  }
  if (!order.operation.startsWith('moTo')) return readCard(job);
  if (order.cardToken === undefined) return readKeyedCard(job);
  return world.tokens.redeem(order.cardToken, merchant) ?? 'unreadable';
}

function unread(job: Job, why: 'timeout' | 'unreadable', card?: Card): ResultFacts {
  if (why === 'timeout') {
    const finStatus = job.world.variants.cardTimeout;
    return terminalFacts(job, { finStatus, statusMessage: 'Timed out waiting for the cardholder', card });
  }
  if (job.order.cardToken !== undefined) return ended(job, gatewayDecline('Card token failure', '5252'));
  return ended(job, failure('Read card error'));
}

/** Refuses, before a card is asked for, an operation that the merchant's account does not allow. */
function refusedByCapability(job: Job): ResultFacts | undefined {
  const { capabilities } = job.merchant;
  switch (job.order.operation) {
    case 'preAuthorization':
    case 'moToPreAuthorization':
      if (!capabilities.preAuthAllowed) return ended(job, gatewayDecline('Pre-authorisations are not enabled'));
      break;
    case 'refund':
    case 'moToRefund':
      if (!capabilities.refundAllowed) return ended(job, gatewayDecline('Refund not allowed'));
      break;
    case 'saleAndTokenizeCard':
      if (!capabilities.cardTokenProvider) return tokenFailure(job);
      break;
    default:
  }
  if (isKeyed(job) && !capabilities.supportsMoto) return refusedKeyedEntry(job);
  return job.order.tokenize && !capabilities.cardTokenProvider ? tokenFailure(job) : undefined;
}

function refusedKeyedEntry(job: Job): ResultFacts {
  const refusal = failure('MOTO is not enabled for the merchant');
  if (job.world.variants.keyedRefusal === 'unrecorded') return ended(job, refusal);
  const asked = authorisationOf(job, { card: makeCard({ entry: 'CNP' }), verification: 'NOT_REQUIRED', tip: 0 });
  return factsOf(job.world.gateway.refuse({ ...asked, card: undefined }, refusal));
}

function isKeyed({ order }: Job): boolean {
  return order.operation.startsWith('moTo');
}

export function tokenFailure(job: Job): ResultFacts {
  return { ...ended(job, gatewayDecline('Card token failure')), amounts: amountsOf(0) };
}

function ended(job: Job, { finStatus, statusMessage, errorMessage, issuerCode, arc }: Decision): ResultFacts {
  return terminalFacts(job, { finStatus, statusMessage, errorMessage, issuerCode, arc });
}
