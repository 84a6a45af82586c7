import type { ResultFacts } from '../../results/result-facts.js';
import { type Job, screenOf } from '../session/job.js';
import { type Duplicates, payByCard } from './card-payment.js';
import { followUp, ping, printReceipt, readLoyaltyCard, tokenizeCard } from './other-operations.js';

/** A chip card stays in the reader until the result is on the screen. */
export async function cardIsRemoved(job: Job): Promise<void> {
  const screen = screenOf(job, 'remove-card', 'Please remove your card');
  await job.session.ask(screen, job.world.timings.promptMs, (action) => action.do === 'remove-card' || undefined, {
    cancellable: false,
    afterCard: true,
  });
}

/** What the terminal does for an order, up to its result. */
export function perform(job: Job, duplicates: Duplicates): Promise<ResultFacts> {
  switch (job.order.operation) {
    case 'pingDevice':
      return ping(job);
    case 'printReceipt':
      return printReceipt(job);
    case 'cardPan':
      return readLoyaltyCard(job);
    case 'tokenizeCard':
      return tokenizeCard(job);
    case 'refundReversal':
    case 'saleReversal':
    case 'moToReversal':
    case 'preAuthorizationIncrease':
    case 'preAuthorizationCapture':
    case 'preAuthorizationReversal':
      return followUp(job);
    default:
      return payByCard(job, duplicates).then((facts) => asKeyed(job, facts));
  }
}

/** Some call an approved keyed entry processed. */
function asKeyed({ order, world }: Job, facts: ResultFacts): ResultFacts {
  if (!order.operation.startsWith('moTo') || facts.finStatus !== 'AUTHORISED') return facts;
  return { ...facts, finStatus: world.variants.keyedApproval };
}
