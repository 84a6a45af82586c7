import { RateLimiterRegistry } from '../../src/core/api/transport/rate-limiter.js';
import { callbackSecret } from '../../src/core/base/callback.js';
import type { Delivery, StageChange } from '../../src/core/delivery/listener.js';
import { Door } from '../../src/core/engine/doors/door.js';
import type { Engine } from '../../src/core/engine/engine.js';
import type { Unanswered } from '../../src/core/engine/options.js';
import { orderKey } from '../../src/core/operation/order-key.js';
import { DEFAULT_KEY, type SimulatorOptions } from '../../src/simulator/index.js';
import { MemoryFleet, type Replica } from './memory-fleet.js';
import { NODE, payments, saleOrder } from './payments.js';
import { VirtualClock } from './virtual-clock.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** One process: an engine that leads, or a door, and what its node has heard. */
export interface Till {
  replica: Replica;
  payments: Engine | Door;
  told: Delivery[];
  stages: StageChange[];
}

export type Shop = ReturnType<typeof openShop>;

/** Several processes on one journal in memory, under one clock, with one terminal. The test is the cardholder. */
export function openShop(simulator: Partial<SimulatorOptions> = {}) {
  const clock = new VirtualClock();
  const fleet = new MemoryFleet(clock);
  const world = payments({ clock, simulator: { cardholder: 'none', ...simulator } });
  const tills: Till[] = [];

  const engineOptions = () => ({
    environment: 'env',
    baseUrl: world.simulator.baseUrl,
    statusUrl: world.simulator.statusUrl,
    apiKey: DEFAULT_KEY,
    send: world.simulator.send,
    clock,
    rateLimiters: new RateLimiterRegistry(clock),
    newId: ids(),
    callback: { address: 'https://till.example/payments', secret: callbackSecret(DEFAULT_KEY) },
  });

  const listening = async (replica: Replica, till: Engine | Door): Promise<Till> => {
    const told: Delivery[] = [];
    const stages: StageChange[] = [];
    till.attach(NODE, {
      deliver: (one) => told.push(one),
      progress: () => undefined,
      stage: (one) => stages.push(one),
    });
    till.releaseUnclaimed();
    await till.start();
    const joined = { replica, payments: till, told, stages };
    tills.push(joined);
    return joined;
  };
  const leads = async (id: string, replica = fleet.join(id), unanswered: readonly Unanswered[] = []): Promise<Till> => {
    replica.lead();
    return listening(replica, world.createEngine({ journal: replica.journal, unanswered }));
  };
  const stands = async (id: string, replica = fleet.join(id), unanswered: readonly Unanswered[] = []): Promise<Till> =>
    listening(replica, new Door({ ...engineOptions(), journal: replica.journal, unanswered }));
  const sells = ({ payments: till }: Till, key?: string, amount = '1000'): Promise<string> => {
    const order = saleOrder({ amount }, { busyWaitMs: MINUTE });
    const named = orderKey(key, 'key');
    return till.submit({ ...order, origin: { ...order.origin, ...(named && { key: named }) } });
  };
  const outcomes = ({ told }: Till) =>
    told.map(({ payload: { outcome, redelivered, correction, repeated } }) =>
      [outcome, redelivered && 'again', correction && 'correction', repeated && 'repeated'].filter(Boolean).join(' '),
    );
  const untilAsked = (): Promise<boolean> =>
    clock.runUntil(() => world.terminal.screen.stage === 'awaiting-card', MINUTE);
  const pays = async (): Promise<void> => {
    world.terminal.presentCard();
    await clock.advance(20 * SECOND);
  };
  /** The promise, once the clock has moved far enough. */
  const after = async <T>(work: Promise<T>, limit = 2 * MINUTE): Promise<T> => {
    let isOver = false;
    const settled = work.then(
      () => {
        isOver = true;
      },
      () => {
        isOver = true;
      },
    );
    await clock.runUntil(() => isOver, limit);
    await settled;
    return work;
  };
  const paying = async () => {
    const leader = await leads('leader');
    const door = await stands('door');
    const operationId = await after(sells(door));
    await untilAsked();
    return { leader, door, operationId };
  };
  const close = (): void => {
    for (const { replica } of tills) replica.kill();
  };

  return {
    clock,
    fleet,
    world,
    engineOptions,
    listening,
    /** A process that leads from now on. */
    leads,
    /** A door. */
    stands,
    /** Submits a sale. */
    sells,
    /** What the node of a till has heard. */
    outcomes,
    untilAsked,
    /** A leader, and a door that has asked it for a sale, which waits for its card. */
    paying,
    pays,
    after,
    close,
  };
}

/** UUID v4, in a row. */
function ids(): () => string {
  const start = Math.floor(Math.random() * 2 ** 40);
  let drawn = 0;
  return () => `00000000-0000-4000-9000-${(start + ++drawn).toString(16).padStart(12, '0')}`;
}
