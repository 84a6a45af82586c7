import type { HttpAnswer, HttpRequest } from '../../src/core/base/seams.js';
import { DEFAULT_KEY, Simulator, type SimulatorOptions } from '../../src/simulator/index.js';
import { seededIds, seededRandom } from '../../src/simulator/infra/seed.js';
import { VirtualClock } from './virtual-clock.js';

export type Json = Record<string, unknown>;

export interface Reply {
  status: number;
  text: string;
  /** Empty for an answer without a JSON object. */
  json: Json;
}

/** A callback as it arrived. */
interface Callback {
  at: number;
  url: string;
  token: string | undefined;
  body: Json;
  /** What the ledger said of its reference at that moment, minor units. */
  moved: number;
}

/** A simulator under a virtual clock, and a bare client for it that knows nothing of ours. */
export function simulate(options: Partial<SimulatorOptions> = {}) {
  const clock = new VirtualClock();
  const random = seededRandom(1);
  const newId = seededIds(random);
  const callbacks: Callback[] = [];
  const receiver = { status: 200 };
  const deliver = async (request: HttpRequest): Promise<HttpAnswer> => {
    const body: Json = JSON.parse(request.body ?? '');
    callbacks.push({
      at: clock.now(),
      url: request.url,
      token: request.headers['auth-token'],
      body,
      moved: simulator.bank.netMoved(String(body.transactionReference)),
    });
    return { status: receiver.status, body: '' };
  };
  const simulator = new Simulator({ clock, newId, random, deliver, requestsPerSecond: 0, ...options });

  async function call(method: 'GET' | 'POST', url: string, body?: unknown, key = DEFAULT_KEY): Promise<Reply> {
    const answer = await simulator.send({
      method,
      url,
      headers: { ApiKeyCloud: key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs: 20_000,
    });
    const parsed: unknown = answer.body === '' ? {} : JSON.parse(answer.body);
    const json = Array.isArray(parsed) ? { list: parsed } : (parsed as Json);
    return { status: answer.status, text: answer.body, json };
  }

  return {
    clock,
    simulator,
    callbacks,
    /** What the receiver of the callbacks answers. */
    receiver,
    newId,
    terminal: simulator.terminal('10000001'),
    get: (path: string, key?: string) => call('GET', `${simulator.baseUrl}${path}`, undefined, key),
    post: (path: string, body: unknown, key?: string) => call('POST', `${simulator.baseUrl}${path}`, body, key),
    status: (reference: string, selector = '', key?: string) =>
      call('GET', `${simulator.statusUrl}/transactions/${reference}/status${selector}`, undefined, key),
    /** A sale's body; every field can be replaced. */
    sale: (more: Json = {}): Json => ({
      operation: 'sale',
      serial_number: '10000001',
      terminal_type: 'SIMULATEDT1',
      amount: '1000',
      currency: 'EUR',
      transactionReference: newId(),
      ...more,
    }),
  };
}

export type Simulated = ReturnType<typeof simulate>;

/** Starts an operation and returns its final result, with the clock moved as far as that takes. */
export async function run(world: Simulated, body: Json): Promise<Json> {
  const { status, json, text } = await world.post('/transactions', body);
  if (status !== 202) throw new Error(`${status} ${text}`);
  await world.clock.runUntilIdle(400_000);
  return resultOf(world, json);
}

export async function resultOf(world: Simulated, accepted: Json): Promise<Json> {
  const { status, json, text } = await world.get(`/transaction-result/${String(accepted.transactionResultId)}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json;
}
