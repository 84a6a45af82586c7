import { wasApproved } from '../model/transaction.js';
import { factsOf, type ResultFacts } from '../results/result-facts.js';
import { type InFlight, reversedFacts, type World } from './session/job.js';

/**
 * Asks the gateway for the outcome of a payment whose response the terminal did not receive. A payment that the
 * terminal had decided to reverse is reversed first.
 */
export function recover(world: World, { transactionId, reversal, facts }: InFlight): ResultFacts {
  const { gateway, reversals, variants, clock } = world;
  const { merchant, serial } = facts;
  const transaction = gateway.chains.find(transactionId, merchant);
  if (transaction === undefined) {
    return {
      ...facts,
      at: clock.now(),
      finStatus: 'DECLINED',
      statusMessage: 'The gateway has no record of it',
      errorMessage: 'No response from the gateway',
      issuerCode: '00',
      arc: '1000',
      recovered: true,
    };
  }
  const found: ResultFacts = { ...factsOf(transaction), recovered: true };
  if (reversal === undefined || !wasApproved(transaction)) return found;
  if (!reversals.takeBackApproval({ merchant, originalId: transactionId, serial })) return found;
  return reversedFacts(found, reversal, variants.forcedReversal);
}
