import type { Delivery } from '../../src/core/delivery/listener.js';
import type { ResultPayload } from '../../src/core/delivery/payload.js';
import { isReversal } from '../../src/core/operation/kinds.js';
import type { Order } from '../../src/core/operation/order.js';
import type { ActorName } from './actors/names.js';
import { darkness, impatience } from './bad-moments.js';
import { Draw } from './draw.js';
import type { Asked, Request } from './flow.js';
import {
  againAs,
  atMostLeft,
  batchClose,
  batchQuestion,
  changeOfUnknownHold,
  type Effect,
  type FollowUp,
  followUpOf,
  paymentByToken,
  withReference,
} from './follow-ups.js';
import { chainEntries } from './ledger.js';
import type { Message, Scenario, Trouble } from './scenario.js';
import type { World } from './world.js';

export interface Link {
  asked: Asked;
  /** What success does to the payment; absent where what was told says it. */
  effect?: Effect;
}

/** A payment, and what the flow asked for about it, in that order. */
export interface Chain {
  root: Asked;
  links: Link[];
  /** Two changes were asked for at once, so that nobody can say which entry is whose. */
  isMixed: boolean;
}

/** How often a flow that obeys `retry: safe` tries once more. */
const RETRIES = 2;

/** Carries out what a scenario says: messages, what follows them, and what happens to process, terminals and people. */
export class Play {
  readonly chains: Chain[] = [];
  /** Messages that ask for the same thing, because the flow was told that trying again is safe. */
  readonly orders = new Map<string, Asked[]>();
  asksForTwo = false;
  obeysRetry = false;
  private readonly byRoot = new Map<string, Chain>();
  private readonly messages = new Map<string, Message>();
  /** Payments by token, with the node that asked for them. */
  private readonly byToken = new Map<string, { node: string; next: FollowUp }>();
  private readonly left = new Map<string, number>();
  private readonly numbers = new Map<string, number>();
  /** Payments of which a reversal was asked for once more. */
  private readonly insisted = new Set<string>();
  private readonly onAsked: ((asked: Asked) => void)[] = [];
  private readonly draw: Draw;
  private readonly whims: Draw;
  private readonly habits: Draw;

  constructor(
    private readonly scenario: Scenario,
    private readonly world: World,
  ) {
    this.draw = new Draw(scenario.seed, 8);
    this.whims = new Draw(scenario.seed, 9);
    this.habits = new Draw(scenario.seed, 10);
  }

  /** The machine falls asleep, or a backup is taken, right after a 429. */
  get strikesAfter429(): boolean {
    return this.scenario.strikesAfter429 === true;
  }

  /** The journal keeps no payment that has ended. */
  get retainsNothing(): boolean {
    return this.scenario.retainsNothing === true;
  }

  /** When a backup is taken, where that is not left to chance. */
  get backedUp(): Scenario['backedUp'] {
    return this.scenario.backedUp;
  }

  begin(): void {
    const { world, scenario } = this;
    const { clock, simulator } = world;
    for (const message of scenario.messages) clock.after(message.at, () => this.send(message));
    for (const { at, kind, nodesDeleted } of scenario.upsets) {
      clock.after(at, () => (kind === 'crash' ? world.crash() : void world.redeploy(nodesDeleted)));
    }
    for (const trouble of scenario.troubles) clock.after(trouble.at, () => this.trouble(trouble));
    clock.after(scenario.calmAt, () => simulator.faults.clear());
    impatience(world, scenario.seed);
    if (scenario.focus?.isDarkAfter) darkness(world);
    world.listeners.push((asked, telling) => this.goOn(asked, telling));
  }

  isOn(actor: ActorName): boolean {
    return this.scenario.hostility?.actors.has(actor) === true;
  }

  /** Hears of every message that the flow sends into a node. */
  onAsk(listener: (asked: Asked) => void): void {
    this.onAsked.push(listener);
  }

  /** A charge by the token that a payment brought, or a change of a hold that nobody knows. */
  payByToken({ heard, root, node }: Asked, id: string): void {
    const payload = heard.at(-1)?.telling.payload;
    const message = this.messages.get(root);
    const { tokenAmount, namesUnknownHolds } = this.scenario;
    const next =
      message !== undefined && namesUnknownHolds
        ? changeOfUnknownHold(message, this.draw)
        : payload && paymentByToken(payload, message?.currency ?? 'EUR', id, false, tokenAmount);
    if (next !== undefined) this.begins(id, node, next);
  }

  askForBatch(id: string): void {
    const [message] = this.scenario.messages;
    if (message !== undefined) this.begins(id, message.node, batchQuestion(message));
  }

  private send(message: Message, order = message.id): void {
    const { id, node, serial_number, terminal_type, operation, amount, currency, extras, policies, cancelAfter } =
      message;
    const request: Order['request'] = {
      operation,
      serial_number,
      terminal_type,
      customerReference: id,
      ...extras,
      ...(amount === undefined ? {} : { amount, currency }),
    };
    this.left.set(id, message.followUps);
    this.messages.set(id, message);
    const origin = { node, message: {} };
    const asked = this.ask(id, id, node, { kind: 'terminal', order: { request, policies, origin } }, cancelAfter);
    if (asked === undefined) return;
    this.chain(asked);
    this.orders.set(order, [...(this.orders.get(order) ?? []), asked]);
  }

  private begins(id: string, node: string, { request, effect }: FollowUp): Asked | undefined {
    const asked = this.ask(id, id, node, request, this.impatience());
    if (asked !== undefined) this.chain(asked, effect);
    return asked;
  }

  private pay(id: string, order: string, node: string, next: FollowUp): void {
    this.byToken.set(id, { node, next });
    const asked = this.begins(id, node, next);
    if (asked !== undefined) this.orders.set(order, [...(this.orders.get(order) ?? []), asked]);
  }

  private chain(root: Asked, effect?: Effect): void {
    const chain: Chain = { root, links: [{ asked: root, effect }], isMixed: false };
    this.byRoot.set(root.id, chain);
    this.chains.push(chain);
  }

  private ask(id: string, root: string, node: string, request: Request, cancelAfter?: number): Asked | undefined {
    const { world } = this;
    world.ask(id, root, node, request, (asked) => {
      if (cancelAfter !== undefined) world.clock.after(cancelAfter, () => world.cancel(asked));
    });
    const asked = world.flow.asked.get(id);
    if (asked !== undefined) for (const listener of this.onAsked) listener(asked);
    return asked;
  }

  /** After something final about a chain the flow may ask for more. */
  private goOn(asked: Asked, { payload }: Delivery): void {
    if (this.scenario.insists) this.insist(asked, payload);
    if (!payload.final || asked.heard.filter(({ telling }) => telling.payload.final).length > 1) return;
    this.tryAgain(asked, payload);
    const { root } = asked;
    const left = this.left.get(root) ?? 0;
    if (left === 0 || this.byRoot.get(root)?.root.heard.at(-1)?.telling.exit !== 'done') return;
    this.left.set(root, left - 1);
    const after = (this.scenario.changesAfter ?? 0) + this.draw.scale(1000, 120_000);
    this.world.clock.after(after, () => this.followUp(root));
    if (this.asksForTwo && this.habits.chance(0.6)) this.world.clock.after(after, () => this.followUpAtOnce(root));
  }

  /** Nobody knows what became of a reversal: the flow asks for the same once more, and for nothing else. */
  private insist({ id, root, node, request, heard }: Asked, { outcome, final }: ResultPayload): void {
    const chain = this.byRoot.get(root);
    const effect = chain?.links.find(({ asked }) => asked.id === id)?.effect;
    const isDoubtful = outcome === 'unknown' && !final && heard.length === 1;
    if (!isDoubtful || effect === undefined || request.kind !== 'back-office' || !isReversal(request.order.operation))
      return;
    if (this.insisted.has(root)) return;
    this.insisted.add(root);
    this.left.set(root, 0);
    this.world.clock.after(this.habits.scale(1000, 120_000), () => {
      const again = this.ask(this.nextId(root), root, node, request);
      if (again !== undefined) chain?.links.push({ asked: again, effect });
    });
  }

  private tryAgain({ id, root }: Asked, { retry }: ResultPayload): void {
    const message = this.messages.get(id);
    const payment = this.byToken.get(id);
    if (!this.obeysRetry || retry !== 'safe' || (message ?? payment) === undefined || id !== root) return;
    const order = id.replace(/r\d+$/, '');
    const tries = this.orders.get(order)?.length ?? 0;
    if (tries > RETRIES) return;
    const next = `${order}r${tries}`;
    this.world.clock.after(this.habits.scale(1, 20_000), () => {
      this.world.acts.add('obeys-retry');
      if (message !== undefined) this.send({ ...message, id: next, cancelAfter: undefined }, order);
      else if (payment !== undefined) this.pay(next, order, payment.node, againAs(next, payment.next));
    });
  }

  private followUp(root: string): void {
    const { draw } = this;
    const chain = this.byRoot.get(root);
    const message = this.messages.get(root);
    if (chain === undefined || message === undefined) return;
    const payload = chain.root.heard.at(-1)?.telling.payload;
    const id = this.nextId(root);
    if (this.retainsNothing) this.world.disk.retire(root);
    const { tokenAmount, namesUnknownHolds } = this.scenario;
    if (namesUnknownHolds && draw.chance(0.5)) this.begins(id, message.node, changeOfUnknownHold(message, draw));
    else if (draw.chance(0.4) && payload?.card.token !== undefined) {
      const byToken = paymentByToken(payload, message.currency, id, draw.chance(0.4), tokenAmount);
      if (byToken !== undefined && this.scenario.retriesByToken) this.pay(id, id, message.node, byToken);
      else if (byToken !== undefined) this.begins(id, message.node, byToken);
    } else this.change(id, chain, message, draw);
  }

  /** Beside what is asked for anyway. */
  private followUpAtOnce(root: string): void {
    const chain = this.byRoot.get(root);
    const message = this.messages.get(root);
    if (chain === undefined || message === undefined) return;
    this.world.acts.add('two-at-once');
    chain.isMixed = true;
    this.change(this.nextId(root), chain, message, this.habits);
  }

  private nextId(root: string): string {
    const number = (this.numbers.get(root) ?? 0) + 1;
    this.numbers.set(root, number);
    return `${root}.${number}`;
  }

  private change(id: string, chain: Chain, message: Message, draw: Draw): void {
    const { root } = chain;
    const payload = root.heard.at(-1)?.telling.payload;
    const entries = chainEntries(this.world.simulator.bank, root.id);
    const asked = this.scenario.closesBatches
      ? batchClose(message, payload?.batch)
      : payload && followUpOf(message, payload, id, entries, draw);
    if (payload === undefined || asked === undefined) return;
    const named = this.retainsNothing ? asked : withReference(asked, payload);
    // A service that refuses too much by itself is left to do so.
    const { reversalAfterRefund, refundBeyondRest } = this.world.variants;
    const next = [reversalAfterRefund, refundBeyondRest].includes('done') ? atMostLeft(named) : named;
    const link = this.ask(id, root.id, message.node, next.request, this.impatience());
    if (link !== undefined) chain.links.push({ asked: link, effect: next.effect });
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
