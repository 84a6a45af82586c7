import type { Transaction } from '../../model/transaction.js';
import type { FinStatus } from '../../model/vocabulary.js';
import type { ResultFacts } from '../../results/result-facts.js';
import { takeBack } from '../session/gateway-link.js';
import { type InFlight, type Job, type ReversalReason, reversedFacts, screenOf } from '../session/job.js';
import type { Action } from '../session/screen.js';
import { readAnswer } from './prompts.js';

/**
 * After the gateway's approval the cardholder may refuse a partial approval, pull the chip card or not sign. The
 * terminal then reverses the payment.
 */
export async function afterApproval(
  job: Job,
  inFlight: InFlight,
  transaction: Transaction,
  result: ResultFacts,
): Promise<ResultFacts> {
  if (transaction.decision.finStatus === 'PARTIAL_APPROVAL') {
    return (await acceptsPart(job, inFlight, transaction, result)) ? result : refusePart(job, inFlight, result);
  }
  if (isChipPulled(job, result)) return reversed(job, inFlight, result, '4351', job.world.variants.forcedReversal);
  if (!wantsSignature(job, result)) return result;
  // After a power cut on the signature screen the payment stays approved, and recovery reports it.
  job.keep(inFlight);
  const screen = screenOf(job, 'signature', 'Please sign');
  const signed = await job.session.ask(screen, job.world.timings.promptMs, readSignature, {
    cancellable: false,
    afterCard: true,
  });
  if (signed === 'timeout') return reversed(job, inFlight, result, '4353', 'CANCELLED');
  if (typeof signed === 'string') {
    if (signed !== '') job.world.signatures.keep(inFlight.transactionId, signed);
    return { ...result, signed: true };
  }
  return reversed(job, inFlight, result, '4354', 'CANCELLED');
}

async function acceptsPart(job: Job, inFlight: InFlight, { amounts }: Transaction, result: ResultFacts) {
  job.keep(inFlight);
  job.showInterim(result);
  const screen = screenOf(job, 'partial', 'Only a part was approved. Pay that part?', { approved: amounts.total });
  const answer = await job.session.ask(
    screen,
    job.world.timings.promptMs,
    (action) => (action.do === 'cancel' ? false : readAnswer(action)),
    { cancellable: false, afterCard: true },
  );
  return answer === true;
}

/** Reverses a refused partial approval. If the reversal fails, the charge stays and is the result. */
async function refusePart(job: Job, inFlight: InFlight, result: ResultFacts): Promise<ResultFacts> {
  const { faults } = job.world;
  const fails = faults.at('terminal-reversal', { serial: job.terminal.serial_number, operation: job.order.operation });
  if (fails !== undefined || !job.isConnected()) return result;
  return reversed(job, inFlight, result, '4354', 'CANCELLED');
}

/** Reverses the payment; where that is refused, the charge is the result. Without a connection the terminal reports an unknown outcome and reverses later. */
async function reversed(
  job: Job,
  inFlight: InFlight,
  result: ResultFacts,
  reason: ReversalReason,
  finStatus: FinStatus,
): Promise<ResultFacts> {
  const facts = reversedFacts(result, reason, finStatus);
  const taken = await takeBack(job, { ...inFlight, reversal: reason });
  if (taken === 'refused') return result;
  return taken === 'done'
    ? facts
    : { ...result, finStatus: 'UNDEFINED', statusMessage: 'No response from the gateway' };
}

function isChipPulled({ world, session, terminal, order }: Job, { card }: ResultFacts): boolean {
  if (card?.entry !== 'ICC') return false;
  const circumstance = { serial: terminal.serial_number, operation: order.operation };
  return session.cardPulled || world.faults.at('approved', circumstance) !== undefined;
}

function wantsSignature({ order }: Job, { verification }: ResultFacts): boolean {
  return !order.signatureBypass && (verification === 'SIGNATURE' || verification === 'PIN_SIGNATURE');
}

/** The drawing, empty if there is none; false: the cardholder refused to sign. */
function readSignature(action: Action): string | false | undefined {
  if (action.do === 'sign') return action.drawing ?? '';
  return action.do === 'answer' && !action.accept ? false : undefined;
}
