import type { Order } from '../../src/core/operation/order.js';
import { Draw } from './draw.js';
import type { Asked, Request } from './flow.js';
import { followUpOf, paymentByToken } from './follow-ups.js';
import { chainEntries } from './ledger.js';
import { type Chain, judge } from './oracle.js';
import { type Message, type Scenario, scenarioOf, type Trouble } from './scenario.js';
import type { Tally } from './tally.js';
import { World } from './world.js';

/** What became of one seed. */
export interface Report {
  seed: number;
  operations: number;
  /** Virtual time that passed, ms. */
  simulatedMs: number;
  crashes: number;
  faults: Tally;
  /** Transitions that were taken, by table and the phase they found. */
  edges: Tally;
  tellings: Tally;
  /** What was asked of the service, by operation. */
  asked: Tally;
  violations: string[];
}

const DAY = 24 * 60 * 60 * 1000;
/** Longer than anything may go on. */
const LIMIT = 12 * DAY;

/** Plays one seed to its end. */
export async function run(seed: number, write?: (line: string) => void): Promise<Report> {
  const scenario = scenarioOf(seed);
  const world = new World(scenario, write);
  const chains = new Play(scenario, world).begin();
  world.start();
  await world.clock.runUntilIdle(LIMIT);
  for (const { at, kind, customerReference, moved, held, transactionId } of world.simulator.bank.entries()) {
    write?.(`LEDGER ${at} ${kind} ${customerReference} ${moved} moved, ${held} held, ${transactionId}`);
  }
  const violations = judge(world, chains);
  for (const violation of violations) write?.(`VIOLATION ${violation}`);
  for (const [kind, times] of Object.entries(world.simulator.faults.counts())) world.faults.add(kind, times);
  const { faults, edges, tellings, asked, crashes } = world;
  return {
    seed,
    operations: world.flow.asked.size,
    simulatedMs: world.clock.now(),
    crashes,
    faults,
    edges,
    tellings,
    asked,
    violations,
  };
}

/** Carries out what a scenario says: messages, what follows them, and what happens to process, terminals and people. */
class Play {
  private readonly chains = new Map<string, Chain>();
  private readonly left = new Map<string, number>();
  private readonly draw: Draw;
  private readonly whims: Draw;

  constructor(
    private readonly scenario: Scenario,
    private readonly world: World,
  ) {
    this.draw = new Draw(scenario.seed, 8);
    this.whims = new Draw(scenario.seed, 9);
  }

  /** The chains fill while the clock runs. */
  begin(): readonly Chain[] {
    const { world, scenario } = this;
    const { clock, simulator } = world;
    for (const message of scenario.messages) clock.after(message.at, () => this.send(message));
    for (const { at, kind, nodesDeleted } of scenario.upsets) {
      clock.after(at, () => (kind === 'crash' ? world.crash() : void world.redeploy(nodesDeleted)));
    }
    for (const trouble of scenario.troubles) clock.after(trouble.at, () => this.trouble(trouble));
    clock.after(scenario.calmAt, () => simulator.faults.clear());
    world.heard = (asked) => this.goOn(asked);
    return this.all;
  }

  private readonly all: Chain[] = [];

  private send(message: Message): void {
    const { id, node, serial_number, terminal_type, operation, amount, extras, policies, cancelAfter } = message;
    const order: Order = {
      request: {
        operation,
        serial_number,
        terminal_type,
        customerReference: id,
        ...extras,
        ...(amount === undefined ? {} : { amount, currency: 'EUR' }),
      },
      policies,
      origin: { node, message: {} },
    };
    this.left.set(id, message.followUps);
    const asked = this.ask(id, id, node, { kind: 'terminal', order }, cancelAfter);
    if (asked !== undefined) this.chainOf(asked, message);
  }

  private ask(id: string, root: string, node: string, request: Request, cancelAfter?: number): Asked | undefined {
    const { world } = this;
    world.ask(id, root, node, request, (asked) => {
      if (cancelAfter !== undefined) world.clock.after(cancelAfter, () => world.cancel(asked));
    });
    return world.flow.asked.get(id);
  }

  private chainOf(root: Asked, message: Message): void {
    const chain: Chain = { root, followUps: [] };
    this.chains.set(root.id, chain);
    this.messages.set(root.id, message);
    this.all.push(chain);
  }

  private readonly messages = new Map<string, Message>();

  /** After something final about a chain the flow may ask for more. */
  private goOn(asked: Asked): void {
    const { root } = asked;
    const payload = asked.heard.at(-1)?.telling.payload;
    const left = this.left.get(root) ?? 0;
    if (payload?.final !== true || left === 0 || asked.heard.filter(({ telling }) => telling.payload.final).length > 1)
      return;
    const isPaid = this.chains.get(root)?.root.heard.at(-1)?.telling.exit === 'done';
    if (!isPaid) return;
    this.left.set(root, left - 1);
    this.world.clock.after(this.draw.scale(1000, 120_000), () => this.followUp(root));
  }

  private followUp(root: string): void {
    const { draw, world } = this;
    const chain = this.chains.get(root);
    const message = this.messages.get(root);
    if (chain === undefined || message === undefined) return;
    const id = `${root}.${chain.followUps.length + 1}`;
    const { heard } = chain.root;
    const byToken = draw.chance(0.4) ? paymentByToken(heard.at(-1)?.telling.payload as never, id, draw) : undefined;
    if (byToken !== undefined) {
      const asked = this.ask(id, id, message.node, byToken.request, this.impatience());
      if (asked !== undefined) this.all.push({ root: asked, effect: byToken.effect, followUps: [] });
      return;
    }
    const next = followUpOf(message, chain.root, id, chainEntries(world.simulator.bank, root), draw);
    if (next === undefined) return;
    const asked = this.ask(id, root, message.node, next.request, this.impatience());
    if (asked !== undefined) chain.followUps.push({ asked, effect: next.effect });
  }

  /** When somebody wants what follows stopped after all, ms after it was asked for. */
  private impatience(): number | undefined {
    return this.whims.chance(0.3) ? this.whims.scale(10, 90_000) : undefined;
  }

  private trouble({ kind, serial, ms }: Trouble): void {
    const { clock, simulator } = this.world;
    const terminal = simulator.terminal(serial);
    this.world.faults.add(`terminal ${kind}`);
    this.world.note?.(`terminal ${serial}: ${kind} for ${ms} ms`);
    if (kind === 'power-cut') terminal.powerCut(ms);
    else if (kind === 'restart') terminal.restartApplication();
    else {
      terminal.goOffline();
      clock.after(ms, () => terminal.goOnline());
    }
  }
}
