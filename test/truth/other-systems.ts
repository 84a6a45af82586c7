import type { FaultPlan, LedgerEntry, Simulator } from '../../src/simulator/index.js';

/** A key of its own for the same merchant, with a rate limit of its own. */
export const OTHER_KEY = 'another-till';

/** What these send carries it as `customerReference`, where it carries one. */
export const OTHER_REFERENCE = 'another-till';

/** Other systems of the same merchant. Their requests meet no faults, so that what they do is done when the call returns. */
export class OtherSystems {
  private readonly made = new Set<number>();
  private isActing = false;

  constructor(private readonly simulator: Simulator) {}

  /** A plan whose faults strike everybody else. */
  spared(plan: FaultPlan): FaultPlan {
    return (circumstance) => (this.isActing ? undefined : plan(circumstance));
  }

  /** Whether another system made an entry of the ledger. */
  hasMade({ seq, customerReference }: LedgerEntry): boolean {
    return this.made.has(seq) || customerReference === OTHER_REFERENCE;
  }

  /** `key`: that of the other system, or ours. */
  post(path: string, body: object, key = OTHER_KEY): void {
    const { bank } = this.simulator;
    const before = bank.entries().length;
    this.isActing = true;
    const headers = { apikeycloud: key, 'content-type': 'application/json' };
    void this.simulator.handle({ target: 'service', method: 'POST', path, headers, body: JSON.stringify(body) });
    this.isActing = false;
    for (let seq = before + 1; seq <= bank.entries().length; seq++) this.made.add(seq);
  }
}
