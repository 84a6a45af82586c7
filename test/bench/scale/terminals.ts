import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import { callbackSecret } from '../../../src/core/base/callback.js';
import type { Clock, HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import type { Delivery } from '../../../src/core/delivery/listener.js';
import { Engine } from '../../../src/core/engine/engine.js';
import type { Journal } from '../../../src/core/journal/journal.js';
import { Simulator, seededIds, seededRandom } from '../../../src/simulator/index.js';
import { automaticCardholder } from '../../../src/simulator/terminal/cardholder.js';
import { shareOf } from '../../harness/share-of.js';

/** How many terminals share a key, and how their results come. */
export interface Setting {
  keys: number;
  /** On each key. */
  terminals: number;
  callbacks: boolean;
  countReads: boolean;
  /** How long a cardholder takes: any time from none to this, ms. */
  cardMs: number;
  /** From one customer at a terminal to the next, ms; 0: the next one comes as soon as the flow was told of the last. */
  everyMs: number;
}

export interface Throughput extends Setting {
  /** On each key. */
  salesPerSecond: number;
  /** From the bank's approval until the flow was told, s. */
  lateSeconds: { median: number; p99: number };
  /** From the order until its request left, s. */
  queuedSeconds: { median: number };
  /** On each key and for each sale. */
  requestsPerSale: number;
  /** Of this process, which runs the simulator too. */
  cpuMsPerSale: number;
}

const BASE = 'https://shop.example/payments';
const WARM_UP = 120_000;

/** Lets customers pay at many terminals for a while, in this process, and counts after a warm-up.
 * @param run passes time: waits, or moves a virtual clock
 */
export async function measureTerminals(
  setting: Setting,
  {
    clock,
    journal,
    seconds,
    warmUpMs = WARM_UP,
  }: { clock: Clock; journal: Journal; seconds: number; warmUpMs?: number },
  run: (ms: number) => Promise<void>,
): Promise<Throughput> {
  const counter = new Counter(clock);
  const shops = Array.from({ length: setting.keys }, (_, number) => openShop(setting, number, clock, journal, counter));
  await Promise.all(shops.map((shop) => shop.open()));
  await run(warmUpMs);
  counter.begin();
  const cpu = process.cpuUsage();
  await run(seconds * 1000);
  const { user, system } = process.cpuUsage(cpu);
  const sales = counter.late.length;
  const figures = {
    ...setting,
    salesPerSecond: sales / seconds / setting.keys,
    lateSeconds: { median: shareOf(counter.late, 0.5) / 1000, p99: shareOf(counter.late, 0.99) / 1000 },
    queuedSeconds: { median: shareOf(counter.queued, 0.5) / 1000 },
    requestsPerSale: counter.requests / sales,
    cpuMsPerSale: (user + system) / 1000 / sales,
  };
  await Promise.all(shops.map((shop) => shop.close()));
  return figures;
}

/** What is counted of all keys. */
class Counter {
  late: number[] = [];
  queued: number[] = [];
  requests = 0;

  constructor(private readonly clock: Clock) {}

  begin(): void {
    this.late = [];
    this.queued = [];
    this.requests = 0;
  }

  told(approvedAt: number): void {
    this.late.push(this.clock.now() - approvedAt);
  }

  left(orderedAt: number): void {
    this.queued.push(this.clock.now() - orderedAt);
  }
}

function openShop(
  { terminals, callbacks, countReads, cardMs, everyMs }: Setting,
  number: number,
  clock: Clock,
  journal: Journal,
  counter: Counter,
) {
  const random = seededRandom(number + 1);
  const newId = seededIds(random);
  const key = `key-${number}`;
  const addresses = Array.from({ length: terminals }, (_, place) => ({
    serial_number: `${number}-${place}`,
    terminal_type: 'SIMULATEDT1',
  }));
  const deliver = async ({ url, headers, body = '' }: HttpRequest): Promise<HttpAnswer> => {
    const answer = await engine.callback(url.slice(BASE.length + 1), headers['auth-token'], body);
    return { status: answer === 'taken' ? 200 : 404, body: '' };
  };
  const simulator = new Simulator({
    clock,
    newId,
    random,
    deliver,
    merchants: [{ keys: [key], terminals: addresses }],
    cardholder: (screen, terminal) => automaticCardholder({ tapAfterMs: random() * cardMs })(screen, terminal),
  });
  const orderedAt = new Map<string, number>();
  const engine = new Engine({
    environment: `environment-${number}`,
    baseUrl: simulator.baseUrl,
    statusUrl: simulator.statusUrl,
    apiKey: key,
    clock,
    newId,
    journal,
    countReads,
    rateLimiters: new RateLimiterRegistry(clock),
    send: (request) => {
      counter.requests++;
      if (request.url.endsWith('/transactions')) {
        const { transactionReference } = JSON.parse(request.body ?? '{}') as { transactionReference?: string };
        const at = orderedAt.get(transactionReference ?? '');
        if (at !== undefined) counter.left(at);
        orderedAt.delete(transactionReference ?? '');
      }
      return simulator.send(request);
    },
    ...(callbacks ? { callback: { address: BASE, secret: callbackSecret(key) } } : {}),
  });

  let isOpen = true;
  const policies = {
    exclusiveTerminal: true,
    busyWaitMs: 3_600_000,
    lateApproval: 'report',
    partialApproval: 'accept',
  } as const;
  const sell = async (place: number): Promise<void> => {
    const terminal = addresses[place];
    if (!isOpen || terminal === undefined) return;
    const at = clock.now();
    const request = {
      operation: 'sale',
      ...terminal,
      amount: '1000',
      currency: 'EUR',
      duplicate_check: false,
    } as const;
    const operationId = await engine.submit({
      request,
      policies,
      origin: { node: 'sale', message: { _msgid: `${place}` } },
    });
    orderedAt.set(operationId, at);
    if (everyMs > 0) clock.after(everyMs, () => void sell(place));
  };
  const told = ({ payload, origin }: Delivery): void => {
    const [entry] = simulator.bank.entries(payload.reference);
    if (payload.outcome !== 'approved' || entry === undefined)
      throw new Error(`${payload.outcome}: ${payload.error?.message}`);
    counter.told(entry.at);
    if (everyMs === 0) void sell(Number(origin.message._msgid));
  };
  return {
    async open(): Promise<void> {
      engine.attach('sale', { deliver: told, progress: () => undefined });
      await engine.start();
      engine.releaseUnclaimed();
      // Customers do not come to all terminals at once.
      const apart = everyMs === 0 ? 500 : everyMs / terminals;
      for (const place of addresses.keys()) clock.after(place * apart, () => void sell(place));
    },
    async close(): Promise<void> {
      isOpen = false;
      await engine.stop();
      simulator.stop();
    },
  };
}
