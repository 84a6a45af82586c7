import {
  type AuthenticationWanted,
  type Authorisation,
  failure,
  gatewayDecline,
  issuerDecline,
} from '../../gateway/gateway.js';
import type { Card } from '../../model/cards.js';
import { amountsOf, type Decision, type Transaction, wasApproved } from '../../model/transaction.js';
import { HONOURS_REFERENCE, type Verification } from '../../model/vocabulary.js';
import { factsOf, type ResultFacts } from '../../results/result-facts.js';
import { askGateway, NO_ANSWER } from '../session/gateway-link.js';
import { type InFlight, type Job, TYPES, terminalFacts } from '../session/job.js';
import { Cancelled } from '../session/session.js';
import { afterApproval } from './after-approval.js';
import { type CardRead, readCard, readKeyedCard, verifyHolder } from './card-reader.js';
import { beforeCard, isRepetition } from './prompts.js';

/** Every operation that sends a card to the gateway, whether read by the terminal or keyed in. */
export async function payByCard(job: Job, duplicates: Duplicates): Promise<ResultFacts> {
  const refusal = refusedByCapability(job);
  if (refusal !== undefined) return refusal;
  const { tip } = await beforeCard(job);
  const card = await takeCard(job);
  if (card === 'timeout' && job.order.operation.startsWith('moTo')) job.abandon();
  if (typeof card === 'string') return unread(job, card);
  if (job.order.duplicateCheck && duplicates.knows(job.order, card) && !(await isRepetition(job))) {
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
  const result = factsOf(answer);
  return wasApproved(answer) ? afterApproval(job, inFlight, answer, result) : result;
}

/** Sends the payment to the gateway. After three wrong PINs the gateway only records the decline. */
function decide({ world }: Job, asked: Authorisation): Transaction | AuthenticationWanted {
  if (asked.verification === 'FAILED') return world.gateway.refuse(asked, issuerDecline('75'));
  const answer = world.gateway.authorise(asked);
  return 'authenticate' in answer && asked.card.entry === 'CNP'
    ? world.gateway.refuse(asked, issuerDecline(answer.authenticate))
    : answer;
}

/** The issuer requires chip and PIN. Without them the payment is declined with the issuer's code. */
async function authenticate(job: Job, presented: Presented, { authenticate: code }: AuthenticationWanted) {
  job.keep(undefined);
  const alreadyChip = presented.card.entry === 'ICC';
  const card = alreadyChip ? 'unreadable' : await readCardToAuthenticate(job);
  if (typeof card !== 'string') {
    const verification = await verifyHolder(job, { ...card, verification: 'PIN' });
    if (verification === 'PIN') return authorise(job, { ...presented, card, verification });
  }
  const asked = authorisationOf(job, presented);
  const transaction = job.world.gateway.refuse(asked, issuerDecline(code));
  return factsOf(transaction);
}

/** Cancelling this prompt declines the authentication; it does not cancel the payment. */
function readCardToAuthenticate(job: Job) {
  return readCard(job, 'insert-card', 'ICC').catch((error: unknown): 'timeout' => {
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
  const honoured = HONOURS_REFERENCE.has(operation) ? transactionReference : undefined;
  return {
    id: world.newId(),
    reference: honoured ?? world.newId(),
    merchant,
    serial: terminal.serial_number,
    type: TYPES[operation],
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

function takeCard(job: Job): Promise<CardRead> {
  const { order, world, merchant, terminal } = job;
  const circumstance = { serial: terminal.serial_number, operation: order.operation };
  const fault = world.faults.at('awaiting-card', circumstance);
  if (fault !== undefined) job.cutPower(fault.ms ?? 60_000);
  if (!order.operation.startsWith('moTo')) return readCard(job);
  if (order.cardToken === undefined) return readKeyedCard(job);
  return Promise.resolve(world.tokens.redeem(order.cardToken, merchant) ?? 'unreadable');
}

function unread(job: Job, why: 'timeout' | 'unreadable', card?: Card): ResultFacts {
  if (why === 'timeout') {
    return terminalFacts(job, { finStatus: 'CANCELLED', statusMessage: 'Timed out waiting for the cardholder', card });
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
  if (job.order.operation.startsWith('moTo') && !capabilities.supportsMoto) {
    return ended(job, failure('MOTO is not enabled for the merchant'));
  }
  return job.order.tokenize && !capabilities.cardTokenProvider ? tokenFailure(job) : undefined;
}

export function tokenFailure(job: Job): ResultFacts {
  return { ...ended(job, gatewayDecline('Card token failure')), amounts: amountsOf(0) };
}

function ended(job: Job, { finStatus, statusMessage, errorMessage, issuerCode, arc }: Decision): ResultFacts {
  return terminalFacts(job, { finStatus, statusMessage, errorMessage, issuerCode, arc });
}
