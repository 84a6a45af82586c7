import { wasApproved } from '../model/transaction.js';
import { factsOf, type ResultFacts } from '../results/result-facts.js';
import { type InFlight, reversedFacts, type World } from './session/job.js';

const ALREADY_REVERSED = '3051';

/**
 * What became of a payment whose answer the terminal never heard, asked when it can reach the gateway again. A payment
 * that it had decided to take back is taken back first.
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
  const undone = reversals.reverse({ merchant, originalId: transactionId, serial, forced: true });
  if ('code' in undone && undone.code !== ALREADY_REVERSED) return found;
  return reversedFacts(found, reversal, variants.forcedReversal);
}
