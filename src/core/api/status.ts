import * as z from 'zod';
import { RefusedError } from '../base/errors.js';
import { check } from './schema/check.js';
import { uuidV4 } from './schema/fields.js';
import { readTransactionResult, type TransactionResult } from './schema/transaction-result.js';
import { type CallOptions, jsonOf, type Transport } from './transport/transport.js';

/** `GET {status_url}/transactions/{transactionReference}/status/{selector}`: what the gateway knows. */

/** Which operation of a chain: its first, its last, or a place counted from 1. */
export type Selector = 'first' | 'last' | number;

const question = z.object({
  transactionReference: uuidV4,
  selector: z.union([z.enum(['first', 'last', 'all']), z.int().min(1)], 'first, last, or a place counted from 1'),
});

export class Status {
  constructor(private readonly transport: Transport) {}

  /**
   * One operation of the chain under a reference.
   * "No record" covers all that the service says before it has one: 404, 200 `UNDEFINED`, an empty list.
   * @throws RefusedError with status 401 when the reference is another merchant's
   */
  async get(
    reference: string,
    selector: Selector = 'first',
    options: CallOptions = {},
  ): Promise<TransactionResult | 'no-record'> {
    const found = await this.ask(reference, selector, options);
    return found[0] ?? 'no-record';
  }

  /** The whole chain, oldest first; empty where there is no record. */
  all(reference: string, options: CallOptions = {}): Promise<TransactionResult[]> {
    return this.ask(reference, 'all', options);
  }

  private async ask(reference: string, selector: Selector | 'all', options: CallOptions): Promise<TransactionResult[]> {
    const asked = check(question, { transactionReference: reference, selector });
    const path = ['transactions', asked.transactionReference, 'status', String(asked.selector)];
    try {
      const answer = await this.transport.request({ ...options, endpoint: 'read', method: 'GET', at: 'status', path });
      const body = jsonOf(answer);
      const results = (Array.isArray(body) ? body : [body]).map(readTransactionResult);
      return results.every(({ finStatus }) => finStatus === 'UNDEFINED') ? [] : results;
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) return [];
      throw error;
    }
  }
}
