import type { TransactionOrder } from '../../src/core/api/schema/transaction-request.js';
import { RateLimiterRegistry } from '../../src/core/api/transport/rate-limiter.js';
import { callbackSecret, callbackToken } from '../../src/core/base/callback.js';
import type { HttpAnswer, HttpRequest } from '../../src/core/base/seams.js';
import type { ResultEvent } from '../../src/core/delivery/dispatcher.js';
import type { Delivery, Progress } from '../../src/core/delivery/listener.js';
import type { ResultPayload } from '../../src/core/delivery/payload.js';
import type { CallbackAnswer } from '../../src/core/engine/callback-receiver.js';
import { Engine } from '../../src/core/engine/engine.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import { MemoryJournal } from '../../src/core/journal/memory.js';
import type { BackOfficeOrder } from '../../src/core/operation/back-office-order.js';
import type { Order, Policies } from '../../src/core/operation/order.js';
import { DEFAULT_KEY, Simulator, type SimulatorOptions, seededIds, seededRandom } from '../../src/simulator/index.js';
import { VirtualClock } from './virtual-clock.js';

export const NODE = 'sale-node';
const CALLBACK_BASE = 'https://till.example/payments';

export const DEFAULT_POLICIES: Policies = {
  exclusiveTerminal: true,
  busyWaitMs: 0,
  lateApproval: 'report',
  partialApproval: 'accept',
};

export interface PaymentsOptions {
  simulator?: Partial<SimulatorOptions>;
  engine?: Partial<EngineOptions>;
  journal?: MemoryJournal;
  /** Without it results are polled for. */
  callbacks?: boolean;
  clock?: VirtualClock;
}

/** The engine and the simulated service in one process under a virtual clock, and a flow that listens. */
export function payments({
  simulator: simulated,
  engine: tuning,
  journal,
  callbacks = true,
  clock = new VirtualClock(),
}: PaymentsOptions = {}) {
  const random = seededRandom(7);
  const newId = seededIds(random);
  const told: Delivery[] = [];
  const noticed: ResultEvent[] = [];
  const progress: Progress[] = [];
  const logged: string[] = [];
  const started: string[] = [];
  const store = journal ?? new MemoryJournal();
  const rateLimiters = new RateLimiterRegistry(clock);

  const deliver = async ({ url, headers, body = '' }: HttpRequest): Promise<HttpAnswer> => {
    const attemptId = url.slice(CALLBACK_BASE.length + 1);
    const answer = await world.engine.callback(attemptId, headers['auth-token'], body);
    return { status: { taken: 200, 'not-found': 404, unavailable: 503 }[answer], body: '' };
  };
  const simulator = new Simulator({ clock, newId, random, deliver, ...simulated });

  const createEngine = (changes: Partial<EngineOptions> = {}): Engine =>
    new Engine({
      environment: 'env',
      baseUrl: simulator.baseUrl,
      statusUrl: simulator.statusUrl,
      apiKey: DEFAULT_KEY,
      send: (request) => {
        const { operation } = JSON.parse(request.body ?? '{}');
        if (request.url === `${simulator.baseUrl}/transactions`) started.push(operation);
        return simulator.send(request);
      },
      clock,
      newId,
      journal: store,
      rateLimiters,
      log: (level, text) => logged.push(`${level}: ${text}`),
      ...(callbacks ? { callback: { address: CALLBACK_BASE, secret: callbackSecret(DEFAULT_KEY) } } : {}),
      ...tuning,
      ...changes,
    });

  const connect = (engine: Engine): void => {
    engine.attach(NODE, { deliver: (telling) => told.push(telling), progress: (at) => progress.push(at) });
    engine.subscribe((notice) => noticed.push(notice) > 0);
    engine.releaseUnclaimed();
  };

  const world = {
    clock,
    simulator,
    bank: simulator.bank,
    terminal: simulator.terminal('10000001'),
    journal: store,
    engine: createEngine(),
    told,
    noticed,
    progress,
    logged,
    /** The operation of every `POST /transactions` that left, pings and stops included. */
    started,
    /** A new engine on the same journal: after `engine.stop()` a redeploy, without it a crash. */
    createEngine,
    connect,
    /** Submits a sale of 10.00 EUR; every field can be replaced. */
    sale: (request: Partial<TransactionOrder> = {}, policies: Partial<Policies> = {}): Promise<string> =>
      world.engine.submit(saleOrder(request, policies)),
    /** Submits an operation that needs no terminal. */
    backOffice: (order: BackOfficeOrder): Promise<string> =>
      world.engine.submitBackOffice(order, { node: NODE, message: { _msgid: 'm2' } }),
    /** A terminal calls back with the result of an attempt. */
    callback: (transactionReference: string, result: object): Promise<CallbackAnswer> => {
      const token = callbackToken(callbackSecret(DEFAULT_KEY), transactionReference);
      return world.engine.callback(transactionReference, token, JSON.stringify({ transactionReference, ...result }));
    },
    /** What came after the flow had a final result. */
    late: (): [exit: string, outcome: string, code: string | undefined][] =>
      noticed
        .filter(({ late }) => late)
        .map(({ delivery: { exit, payload } }) => [exit, payload.outcome, payload.error?.code]),
    /** Runs one operation to what the flow is told of it. */
    async after(submitted: Promise<string>): Promise<ResultPayload> {
      const operationId = await submitted;
      const mine = (): Delivery | undefined => told.find(({ payload }) => payload.operationId === operationId);
      await clock.runUntil(() => mine() !== undefined, 1_000_000);
      const telling = mine();
      if (telling === undefined) throw new Error(`nothing told of ${operationId}`);
      return telling.payload;
    },
    /** Moves the clock until the flow was told so many messages, or nothing happens any more for `limit` ms. */
    async untilTold(count = 1, limit = 1_000_000): Promise<Delivery> {
      if (!(await clock.runUntil(() => told.length >= count, limit))) {
        throw new Error(`told ${told.length} of ${count} within ${limit} ms`);
      }
      return told[count - 1] as Delivery;
    },
  };
  connect(world.engine);
  return world;
}

export type Payments = ReturnType<typeof payments>;

export function saleOrder(request: Partial<TransactionOrder> = {}, policies: Partial<Policies> = {}): Order {
  return {
    request: {
      operation: 'sale',
      serial_number: '10000001',
      terminal_type: 'SIMULATEDT1',
      amount: '1000',
      currency: 'EUR',
      ...request,
    },
    policies: { ...DEFAULT_POLICIES, ...policies },
    origin: { node: NODE, message: { _msgid: 'm1', order: 4711 } },
  };
}
