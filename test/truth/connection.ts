import type { EngineOptions } from '../../src/core/engine/options.js';
import { serviceOf } from '../../src/core/engine/service/service-id.js';
import { BASE_URL, type Simulator, STATUS_URL } from '../../src/simulator/index.js';
import type { VirtualClock } from '../harness/virtual-clock.js';
import type { Disk } from './disk.js';
import { Draw } from './draw.js';
import type { Scenario } from './scenario.js';
import { KEY, SECOND_KEY } from './service.js';
import type { Tally } from './tally.js';
import { ANOTHER_KEY } from './traffic.js';

type Addresses = Pick<EngineOptions, 'baseUrl' | 'statusUrl' | 'apiKey' | 'secondApiKey'>;

/** How many of the runs have two keys, of which one is revoked on the way. */
const KEY_CHANGES = 0.08;

interface Surroundings {
  readonly clock: VirtualClock;
  readonly simulator: Simulator;
  readonly faults: Tally;
  readonly disk: Pick<Disk, 'notedKeys'>;
  readonly isHostile: boolean;
  readonly process: { readonly alive: boolean };
  /** Undefined while none has started. */
  readonly engine: object | undefined;
  readonly note: ((line: string) => void) | undefined;
  redeploy(nodesDeleted: boolean): Promise<void>;
}

/**
 * The service and the keys of the environment. A key may be revoked in a run, and somebody may set the environment to
 * another service for a while.
 */
export class Connection {
  private isElsewhere = false;
  /** When the environment was given its own service back, epoch ms; undefined where it never had another, or has it still. */
  private backSince: number | undefined;
  /** When the first key is revoked, ms after the start; undefined where there is no other. */
  private readonly keyRevokedAt: number | undefined;

  /** @param startAgain how long it takes until somebody deploys again, ms */
  constructor(
    private readonly world: Surroundings,
    private readonly scenario: Scenario,
    private readonly fates: Draw,
    private readonly startAgain: number,
  ) {
    const keys = new Draw(scenario.seed, 13);
    const last = Math.max(...scenario.messages.map(({ at }) => at));
    this.keyRevokedAt = !world.isHostile && keys.chance(KEY_CHANGES) ? keys.int(0, last) : undefined;
  }

  /** Where the environment's requests go, as long as nobody changes that. */
  get own(): Addresses {
    const second = this.keyRevokedAt === undefined ? {} : { secondApiKey: SECOND_KEY };
    return { baseUrl: BASE_URL, statusUrl: STATUS_URL, apiKey: KEY, ...second };
  }

  /** Where they go at this moment. */
  get now(): Addresses {
    return this.isElsewhere ? { ...this.own, apiKey: ANOTHER_KEY, secondApiKey: '' } : this.own;
  }

  /** Whether another service was asked at some moment since `time`, epoch ms. */
  wasElsewhereSince(time: number): boolean {
    return this.isElsewhere || (this.backSince ?? Number.NEGATIVE_INFINITY) > time;
  }

  start(): void {
    if (this.keyRevokedAt === undefined) return;
    const { world } = this;
    world.simulator.merchants.issueKey(SECOND_KEY);
    world.clock.after(this.keyRevokedAt, () => this.revokeOnceBothWork());
  }

  /** As the documentation asks of people: not before the process has seen that both keys open the same. */
  private revokeOnceBothWork(): void {
    const { world, own, startAgain } = this;
    const ids = [KEY, SECOND_KEY].map((apiKey) => serviceOf({ ...own, apiKey }));
    if (!ids.every((id) => world.disk.notedKeys.has(id))) {
      world.clock.after(startAgain, () => this.revokeOnceBothWork());
      return;
    }
    world.note?.('the first key is revoked');
    world.faults.add('key revoked');
    world.simulator.merchants.revokeKey(KEY);
  }

  /** Somebody gives the environment the key of another service, and after a while its own one back. */
  maybeGoElsewhere(): void {
    const { world } = this;
    const { elsewhereMs } = this.scenario;
    if (elsewhereMs === undefined || world.faults.of('another service') > 0 || !this.fates.chance(0.5)) return;
    world.note?.(`another service for ${elsewhereMs} ms`);
    world.faults.add('another service');
    this.isElsewhere = true;
    world.clock.after(elsewhereMs, () => this.comeBack());
  }

  private comeBack(): void {
    const { world } = this;
    this.isElsewhere = false;
    this.backSince = world.clock.now();
    world.note?.('its own service again');
    if (!world.process.alive) return;
    if (world.engine !== undefined) void world.redeploy(false);
    else world.clock.after(this.startAgain, () => this.comeBack());
  }
}
