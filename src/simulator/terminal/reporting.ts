import type { ResultFacts } from '../results/result-facts.js';
import type { Job } from './session/job.js';

/** How a terminal reports what has happened on it: at once, late, or in two steps; and in which words. */

const DEFAULT_LATENESS = 88_000;
const DEFAULT_UNDEFINED = 20_000;

export function reportResult(
  { world, order, terminal, session }: Job,
  ended: ResultFacts,
  post: (facts: ResultFacts) => void,
): void {
  const { faults, clock } = world;
  const { operation, transactionReference: reference } = order;
  const circumstance = { serial: terminal.serial_number, operation, reference };
  const facts: ResultFacts = { ...ended, oddity: faults.at('wording', circumstance)?.kind };
  if (facts.oddity === 'result-unreadable-unrecorded') world.gateway.chains.hide(facts.reference);
  const fault = faults.at('reporting', circumstance);
  switch (fault?.kind) {
    case 'result-late':
      clock.after(Math.min(fault.ms ?? DEFAULT_LATENESS, session.leftForCard), () => post(facts));
      break;
    case 'undefined-first':
      post({ ...ended, finStatus: 'UNDEFINED', statusMessage: 'No response from the gateway', approvalCode: '' });
      clock.after(fault.ms ?? DEFAULT_UNDEFINED, () => post({ ...facts, recovered: true }));
      break;
    default:
      post(facts);
  }
}
