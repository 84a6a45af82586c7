import type { Chain, Chains } from '../gateway/chains.js';
import type { Faults } from '../infra/faults.js';
import type { Merchant } from '../model/merchant.js';
import type { Variants } from '../model/variants.js';
import { listed } from '../results/listed.js';
import { resultBody, statusBody } from '../results/result.js';
import { plainFacts } from '../results/result-facts.js';
import { type Answer, json, NOT_FOUND, UNAUTHORISED } from '../wire/errors.js';

/** The status service: transactions by the reference of their chain, shortly behind the gateway. */
export class StatusService {
  private asked = 0;
  /** References of records that were shown for the last time. */
  private readonly gone = new Set<string>();

  constructor(
    private readonly chains: Chains,
    private readonly faults: Faults,
    private readonly variants: Variants,
    private readonly now: () => number,
  ) {}

  /** `selector`: `first`, `last`, `all`, or a 1-based index. */
  answer(merchant: Merchant, reference: string, selector: string): Answer {
    const chain = this.chains.chain(reference);
    if (chain !== undefined && chain.merchant !== merchant)
      return this.variants.foreignReference === 'refused' ? UNAUTHORISED : NOT_FOUND;
    const isSecond = this.variants.statusInstances === 'two' && this.asked++ % 2 === 1;
    const bodies = chain === undefined ? [] : this.bodies(chain, isSecond);
    if (bodies.length === 0 || this.gone.has(reference))
      return this.withoutRecord(chain !== undefined, selector, merchant, reference);
    const fault = this.faults.at('status-with-record', { reference });
    if (fault?.kind === 'status-record-missing') return this.withoutRecord(true, selector, merchant, reference);
    if (fault?.kind === 'status-record-gone') this.gone.add(reference);
    else if (fault !== undefined) return this.plain(merchant, reference, 'IN_PROGRESS');
    return selected(listed(bodies, this.variants), selector);
  }

  private bodies(chain: Chain, isBehind: boolean): Record<string, unknown>[] {
    const bodies: Record<string, unknown>[] = [];
    for (const transaction of chain.transactions) {
      const view = this.chains.view(transaction, isBehind);
      if (view !== undefined) bodies.push(statusBody(transaction, view, bodies.length === 0, this.variants));
    }
    return bodies;
  }

  /** `isKnown`: a request with this reference was seen. */
  private withoutRecord(isKnown: boolean, selector: string, merchant: Merchant, reference: string): Answer {
    const fault = this.faults.at('status-without-record', { reference });
    switch (fault?.kind) {
      case 'status-404':
        return NOT_FOUND;
      case 'status-empty':
        return json(200, []);
      case 'status-undefined':
        return this.plain(merchant, reference, 'UNDEFINED');
      default:
    }
    if (!isKnown) return NOT_FOUND;
    if (selector === 'all') return json(200, []);
    return this.variants.beforeRecord === '404' ? NOT_FOUND : this.plain(merchant, reference, 'UNDEFINED');
  }

  private plain(merchant: Merchant, reference: string, finStatus: 'UNDEFINED' | 'IN_PROGRESS'): Answer {
    const statusMessage = finStatus === 'UNDEFINED' ? 'NOT FOUND' : 'In progress';
    const facts = plainFacts(merchant, '', this.now(), {
      finStatus,
      reference,
      type: 'TRANSACTION_STATUS',
      statusMessage,
    });
    return json(200, resultBody(facts, this.variants, ''));
  }
}

function selected(bodies: readonly Record<string, unknown>[], selector: string): Answer {
  if (selector === 'all') return json(200, bodies);
  const place = selector === 'first' ? 0 : selector === 'last' ? bodies.length - 1 : Number(selector) - 1;
  const body = bodies[place];
  return body === undefined ? NOT_FOUND : json(200, body);
}
