import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Draw } from '../truth/draw.js';
import { ENTRY } from './balancer.js';
import type { Answer, Kind, Shop } from './flow.js';
import type { Habits } from './habits.js';

/** What a customer wants once, in as many messages as it takes. Its id is its idempotency key. */
export interface Order {
  id: string;
  /** The sale or hold that it is or follows. */
  root: string;
  kind: Kind;
  /** Minor units. */
  amount: number;
}

export interface Placed extends Order {
  /** Its messages, oldest first. */
  entries: string[];
  /** Of the last one that had a response. */
  answer?: Answer;
  /** From the order until its client had an answer, or gave up, ms. */
  tookMs?: number;
  /** The shops closed before there was one. */
  wentHome?: true;
}

interface Where {
  shop: number;
  terminal: object;
}

/** Minor units; the service declines the third, and approves a part of the fourth. */
const AMOUNTS = [1000, 2500, 3779, 3757, 1000, 1200, 4242, 990] as const;
const FOLLOW_UPS = ['refund', 'reversal', 'tip'] as const;
const TIP = 150;

/** Between two tries, ms. */
const PAUSE = 500;
/** Tries of one order after which a client gives up, ms. */
const NO_LONGER = 15 * 60_000;

/** Customers at all terminals of all shops, each of whom asks until there is an answer. */
export class Customers {
  readonly orders: Placed[] = [];
  private readonly watchers = new Set<() => void>();
  private answered = 0;
  private wanted = 0;
  private isOpen = true;
  private readonly goingHome = new AbortController();

  /** @param speed how much faster time passes */
  constructor(
    private readonly url: string,
    private readonly shops: readonly Shop[],
    private readonly draw: Draw,
    private readonly speed: number,
    private readonly habits: Habits,
  ) {}

  /** How many sales and holds were ordered. */
  get sales(): number {
    return this.orders.filter(({ id, root }) => id === root).length;
  }

  /** Lets customers come until {@link close}, and until so many sales and holds were ordered. */
  async come(): Promise<void> {
    setMaxListeners(0, this.goingHome.signal);
    const places = this.shops.flatMap(({ terminals }, shop) => terminals.map((terminal) => ({ shop, terminal })));
    await Promise.all(places.map((where) => this.queueAt(where)));
  }

  /** No more than so many sales and holds, unless that is raised. */
  allow(sales: number): void {
    this.wanted = sales;
    this.tell();
  }

  /** Resolves once so many more orders have been answered, and false where all went home before that. */
  async more(count: number): Promise<boolean> {
    const until = this.answered + count;
    await this.until(() => this.answered >= until || this.goingHome.signal.aborted);
    return !this.goingHome.signal.aborted;
  }

  /** Resolves once as many sales were ordered as are allowed, and every client has an answer or has given up. */
  async served(): Promise<void> {
    const isEnough = (): boolean => this.sales >= this.wanted || this.goingHome.signal.aborted;
    await this.until(() => isEnough() && this.orders.every(({ tookMs }) => tookMs !== undefined));
  }

  /** Nobody waits any longer, for whatever it may be. */
  goHome(): void {
    this.goingHome.abort();
    this.close();
  }

  /** Nobody comes any more. */
  close(): void {
    this.isOpen = false;
    this.tell();
  }

  private async queueAt(where: Where): Promise<void> {
    while (this.isOpen) {
      await this.pass(this.draw.scale(...this.habits.pauseMs));
      await this.until(() => !this.isOpen || this.sales < this.wanted);
      if (this.isOpen) await this.buy(where);
    }
  }

  private async buy(where: Where): Promise<void> {
    const id = `o${this.sales + 1}`;
    const kind = this.draw.chance(this.habits.holds) ? 'hold' : 'sale';
    const bought = { id, root: id, kind, amount: this.draw.pick(AMOUNTS) } as const;
    const answer = await this.place(bought, where);
    if (answer.outcome !== 'approved') return;
    if (kind === 'hold') await this.place({ ...bought, id: `${id}.1`, kind: 'capture' }, where, answer);
    else if (this.draw.chance(this.habits.followUps)) {
      const next = this.draw.pick(FOLLOW_UPS);
      const amount = next === 'tip' ? TIP : bought.amount;
      await this.place({ id: `${id}.1`, root: id, kind: next, amount }, where, answer);
    }
  }

  /** Asks until it is known what became of the order. */
  private async place(order: Order, where: Where, original: Answer = {}): Promise<Answer> {
    const placed: Placed = { ...order, entries: [] };
    this.orders.push(placed);
    const since = performance.now();
    const giveUpAt = since + NO_LONGER / this.speed;
    const { signal } = this.goingHome;
    while (performance.now() < giveUpAt && !signal.aborted) {
      const entry = `${order.id}#${placed.entries.length + 1}`;
      placed.entries.push(entry);
      const answer = await this.ask(entry, order, where, original);
      if (answer !== undefined) placed.answer = answer;
      if (answer !== undefined && !mayAskAgain(answer)) break;
      await this.pass(PAUSE);
    }
    // Refused for now, it would have asked again.
    const isRefusedForNow = placed.answer?.code !== undefined && mayAskAgain(placed.answer);
    if (signal.aborted && isRefusedForNow) delete placed.answer;
    if (signal.aborted && placed.answer === undefined) placed.wentHome = true;
    placed.tookMs = (performance.now() - since) * this.speed;
    this.answered++;
    this.tell();
    return placed.answer ?? {};
  }

  /** One try. Undefined where nobody answered. */
  private async ask(
    entry: string,
    order: Order,
    { shop, terminal }: Where,
    original: Answer,
  ): Promise<Answer | undefined> {
    const { id, kind, amount } = order;
    const major = (amount / 100).toFixed(2);
    const { transactionId, reference } = original;
    const payload = {
      ...{ entry, order: id, kind, terminal, transactionId, reference },
      ...(kind === 'tip' ? { tip: major } : { amount: major }),
      // By one that is not that of the payment the chain shows what a lost answer did.
      ...{ customerReference: id, idempotencyKey: id },
    };
    const { disconnects, patienceMs } = this.habits;
    const patience = this.draw.chance(disconnects) ? this.draw.scale(10, 2000) : patienceMs;
    // The signals of AbortSignal.any and AbortSignal.timeout may be collected as garbage before they abort anything.
    const leaving = new AbortController();
    const leave = (): void => leaving.abort();
    const timer = globalThis.setTimeout(leave, Math.ceil(patience / this.speed));
    this.goingHome.signal.addEventListener('abort', leave);
    if (this.goingHome.signal.aborted) leave();
    try {
      const response = await fetch(`${this.url}/shop-${shop}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [ENTRY]: entry },
        body: JSON.stringify(payload),
        signal: leaving.signal,
      });
      return [200, 500].includes(response.status) ? await response.json() : undefined;
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      this.goingHome.signal.removeEventListener('abort', leave);
    }
  }

  private async until(isSo: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        this.watchers.delete(look);
        resolve();
      };
      this.watchers.add(look);
      look();
    });
  }

  private tell(): void {
    for (const look of [...this.watchers]) look();
  }

  private async pass(ms: number): Promise<void> {
    const { signal } = this.goingHome;
    await setTimeout(ms / this.speed, undefined, { signal }).catch(() => undefined);
  }
}

/** Nothing was sent, or nothing was charged and another try may help. */
function mayAskAgain({ code, retry, outcome }: Answer): boolean {
  if (code !== undefined) return code === 'JOURNAL_UNAVAILABLE' || code === 'STANDBY';
  return retry === 'safe' && outcome !== 'cancelled';
}
