import { Client } from '../../src/core/api/client.js';
import type { TransactionRequest } from '../../src/core/api/schema/transaction-request.js';
import type { TransactionResult } from '../../src/core/api/schema/transaction-result.js';
import { RateLimiterRegistry } from '../../src/core/api/transport/rate-limiter.js';
import type { HttpRequest } from '../../src/core/base/seams.js';
import type { SimulatorOptions } from '../../src/simulator/index.js';
import { DEFAULT_KEY } from '../../src/simulator/index.js';
import { type Json, simulate } from './simulated.js';

export const TERMINAL = { serial_number: '10000001', terminal_type: 'SIMULATEDT1' };

export type TerminalOrder = Omit<TransactionRequest, 'serial_number' | 'terminal_type'>;

/** An approved payment of one's own. */
export interface Made {
  reference: string;
  transactionID: string;
  currency: string;
  result: TransactionResult;
}

/** The payment client and the simulated service in one process under a virtual clock. */
export function connected(options: Partial<SimulatorOptions> = {}, apiKey = DEFAULT_KEY) {
  const world = simulate(options);
  const { simulator, clock, newId } = world;
  const sent: HttpRequest[] = [];
  const client = new Client({
    baseUrl: simulator.baseUrl,
    statusUrl: simulator.statusUrl,
    apiKey,
    send: (request) => {
      sent.push(request);
      return simulator.send(request);
    },
    clock,
    rateLimiters: new RateLimiterRegistry(clock),
    requestsPerSecond: 0,
  });

  /** Starts an operation on the terminal and moves the clock to its result. */
  async function perform(order: TerminalOrder): Promise<TransactionResult> {
    const { transactionResultId = '' } = await client.transactions.start({ ...TERMINAL, ...order });
    await clock.runUntilIdle();
    const polled = await client.transactions.result(transactionResultId);
    if (polled.state !== 'result') throw new Error(polled.state);
    return polled.result;
  }

  async function made(operation: 'sale' | 'preAuthorization', amount: string, more: Partial<TerminalOrder>) {
    const reference = newId();
    const own = { duplicate_check: false, transactionReference: reference, currency: 'EUR' };
    const result = await perform({ ...own, operation, amount, ...more });
    const { transactionID = '', currency = '', finStatus } = result;
    if (finStatus !== 'AUTHORISED') throw new Error(`${operation} of ${amount}: ${finStatus}`);
    return { reference, transactionID, currency, result };
  }

  return {
    ...world,
    client,
    /** Every request that left the client. */
    sent,
    /** The body of the latest one. */
    lastBody: (): Json => JSON.parse(sent.at(-1)?.body ?? '{}'),
    perform,
    /** An approved sale, by default of 10.00 EUR. */
    sold: (amount = '1000', more: Partial<TerminalOrder> = {}): Promise<Made> => made('sale', amount, more),
    /** A hold, by default of 100.00 EUR. */
    held: (amount = '10000', more: Partial<TerminalOrder> = {}): Promise<Made> =>
      made('preAuthorization', amount, more),
    /** A token of the cardholder's card. */
    async stored(): Promise<string> {
      return (await perform({ operation: 'tokenizeCard' })).cardToken ?? '';
    },
  };
}

export type Connected = ReturnType<typeof connected>;
