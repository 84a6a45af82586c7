import * as z from 'zod';
import { RefusedError } from '../base/errors.js';
import { isSameId } from '../base/same-id.js';
import { UUID_V4 } from '../base/uuid.js';
import { check } from './schema/check.js';
import { uuidV4 } from './schema/fields.js';
import { readTransactionResult, type TransactionResult } from './schema/transaction-result.js';
import { type CallOptions, jsonOf, type Transport, unreadable } from './transport/transport.js';

/** `GET {status_url}/transactions/{transactionReference}/status/{selector}`: the gateway's record of a chain. */

/** Selects an operation of a chain: the first, the last, or an index counted from 1. */
export type Selector = 'first' | 'last' | number;

const question = z.object({
  transactionReference: uuidV4,
  selector: z.union([z.enum(['first', 'last', 'all']), z.int().min(1)], 'first, last, or a place counted from 1'),
});

export class Status {
  constructor(private readonly transport: Transport) {}

  /**
   * Reads one operation of the chain under a reference. Without a record the service responds with a 404, a 200
   * `UNDEFINED` or an empty list; all of them count as "no record".
   * @throws RefusedError with status 401 if the reference is another merchant's
   */
  async get(
    reference: string,
    selector: Selector = 'first',
    options: CallOptions = {},
  ): Promise<TransactionResult | 'no-record'> {
    const found = await this.ask(reference, selector, options);
    return found[0] ?? 'no-record';
  }

  /** Reads the whole chain, oldest first; empty if there is no record. */
  all(reference: string, options: CallOptions = {}): Promise<TransactionResult[]> {
    return this.ask(reference, 'all', options);
  }

  private async ask(reference: string, selector: Selector | 'all', options: CallOptions): Promise<TransactionResult[]> {
    const checked = check(question, { transactionReference: reference, selector });
    const path = ['transactions', checked.transactionReference, 'status', String(checked.selector)];
    try {
      const answer = await this.transport.request({ ...options, endpoint: 'read', method: 'GET', at: 'status', path });
      const body = jsonOf(answer);
      const results = (Array.isArray(body) ? body : [body]).map(readTransactionResult);
      if (results.some(({ finStatus }) => finStatus !== 'UNDEFINED')) return withoutRepeats(results);
      // That there is no record of another payment, which something in between mixed up, proves nothing about this one.
      if (results.some((result) => isOfAnother(result, reference))) throw unreadable(answer, 'about another reference');
      return [];
    } catch (error) {
      if (error instanceof RefusedError && isNoRecord(error)) return [];
      throw error;
    }
  }
}

/** A service that has no record may fill the field with anything but a reference. */
function isOfAnother({ transactionReference: named = '' }: TransactionResult, reference: string): boolean {
  return UUID_V4.test(named) && !isSameId(named, reference);
}

/** An address that the server does not know is answered with a 404 as well, and says nothing of any record. */
function isNoRecord({ status, serviceName, message }: RefusedError): boolean {
  return status === 404 && serviceName !== undefined && !/^endpoint\b/i.test(message);
}

/** What decides how a chain is read. All else is words. */
const DECISIVE = [
  'transactionID',
  'transactionReference',
  'originalEFTTransactionID',
  'customerReference',
  'type',
  'finStatus',
  'issuerResponseCode',
  'currency',
  'requestedAmount',
  'totalAmount',
  'dueAmount',
  'tipAmount',
  'taxAmount',
  'surcharge',
  'holdAmount',
  'increaseAmount',
  'capturedAmount',
] as const satisfies readonly (keyof TransactionResult)[];

/** One entry may be listed twice, and worded in another way. */
function withoutRepeats(results: TransactionResult[]): TransactionResult[] {
  const seen = new Set<string>();
  return results.filter((result) => {
    const said = JSON.stringify(DECISIVE.map((name) => result[name] ?? '')).toLowerCase();
    if (result.transactionID && seen.has(said)) return false;
    seen.add(said);
    return true;
  });
}
