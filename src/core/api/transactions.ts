import { RefusedError } from '../base/errors.js';
import { filledText, record, text, tolerantReader } from './schema/answer-fields.js';
import { checkTransactionRequest, type TransactionRequest } from './schema/transaction-request.js';
import {
  hasEnded,
  readableResult,
  saysHowItEnded,
  type TransactionResult,
  wrapsResult,
} from './schema/transaction-result.js';
import { type Call, type CallOptions, jsonOf, type Transport, unreadable } from './transport/transport.js';

/** `POST /transactions` and `GET /transaction-result/{transactionResultId}`. */

const readAcceptance = tolerantReader({
  statusMessage: text,
  /** The id to poll with; old versions omit it if a callback address was sent. */
  transactionResultId: filledText,
  transactionReference: text,
  /** `PING_PONG`: the terminal responded to a ping at once. */
  result: text,
  /** Of a ping that was answered at once. */
  deviceStatus: record,
});

export type TransactionAccepted = NonNullable<ReturnType<typeof readAcceptance>> & {
  /** It says how the operation ended, where it should only say that it has begun. */
  saysEnd?: true;
};

export type PolledResult =
  /** The operation is still running: 204, or a result that says IN_PROGRESS. */
  | { state: 'pending' }
  /** The service does not know the id, or no longer. */
  | { state: 'gone' }
  | { state: 'result'; result: TransactionResult }
  /** There is a result, and a field that decides is not as described. */
  | { state: 'unreadable' };

export class Transactions {
  constructor(private readonly transport: Transport) {}

  /**
   * Starts an operation on a terminal. Sent once: a 429 is thrown, because the next attempt needs a new reference.
   * @throws InputError, RefusedError, NotSentError, WithdrawnError: no terminal has started
   * @throws AnswerLostError: a terminal may have started
   */
  async start(request: TransactionRequest, options: CallOptions = {}): Promise<TransactionAccepted> {
    const body = checkTransactionRequest(request);
    const isUrgent = body.operation === 'stopCurrentTransaction';
    return this.post({ ...options, body, isUrgent });
  }

  /**
   * The same, for a request that is made once the rate limit has let it through, of an order that was checked.
   * @throws also what `make` throws: nothing was sent
   */
  async startOnceAdmitted(make: () => Promise<TransactionRequest>, options: CallOptions): Promise<TransactionAccepted> {
    return this.post({ makeBody: make, ...options });
  }

  /** Whether a request would be sent at once. */
  get mayStartAtOnce(): boolean {
    return this.transport.isFree;
  }

  private async post(call: CallOptions & Pick<Call, 'body' | 'makeBody'>): Promise<TransactionAccepted> {
    const path = ['transactions'];
    const answer = await this.transport.request({ endpoint: 'terminal', method: 'POST', path, once: true, ...call });
    const body = jsonOf(answer);
    const acceptance = readAcceptance(body);
    if (acceptance === undefined) throw unreadable(answer, 'not an acceptance');
    return hasEnded(body) || wrapsResult(body) ? { ...acceptance, saysEnd: true } : acceptance;
  }

  /** @param resultId `transactionResultId` of the acceptance */
  async result(resultId: string, options: CallOptions = {}): Promise<PolledResult> {
    try {
      const path = ['transaction-result', resultId];
      const answer = await this.transport.request({ endpoint: 'read', method: 'GET', path, ...options });
      if (answer.status === 204) return { state: 'pending' };
      const body = jsonOf(answer);
      const result = readableResult(body);
      if (result !== undefined)
        return result.finStatus === 'IN_PROGRESS' ? { state: 'pending' } : { state: 'result', result };
      if (saysHowItEnded(body) || wrapsResult(body)) return { state: 'unreadable' };
      throw unreadable(answer, 'no result');
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) return { state: 'gone' };
      throw error;
    }
  }
}
