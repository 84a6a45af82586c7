import type { SealedJson } from '../../base/privacy/sealed-json.js';
import type { DeliveryName, Doors, UntoldDelivery } from '../../journal/doors.js';
import type { Delivery } from '../listener.js';
import { openedDelivery } from './sealed-delivery.js';

/** How many messages are remembered as told. */
const REMEMBERED = 1000;

/** Delivers results to the nodes of this process. */
export interface Teller {
  deliver(delivery: Delivery, onDelivered: () => void): void;
  /** Forgets what nobody has yet. */
  drop(id: string): void;
}

interface TellingHooks {
  /** Changes a delivery before it is told. */
  prepare(delivery: Delivery): Delivery;
  /** Called once a message was told something. */
  onTold(id: string): void;
}

/** Results that the leader posted to this process: each is told by its own node, once, and that is noted. */
export class IncomingDeliveries {
  /** The number of the verdict that each message was told last. */
  private readonly told = new Map<string, number>();
  /** Told, and not noted yet. */
  private readonly unnoted = new Map<string, DeliveryName>();
  /** The verdict that waits for each message whose node is not attached yet. */
  private readonly offered = new Map<string, { sequence: number; isCorrection: boolean }>();
  private generation: number;
  private isFailing = false;

  constructor(
    private readonly doors: Doors,
    private readonly environment: string,
    private readonly seal: SealedJson,
    private readonly teller: Teller,
    private readonly log: (level: 'warn' | 'error', text: string) => void,
    private readonly hooks: TellingHooks = { prepare: (delivery) => delivery, onTold: () => undefined },
  ) {
    this.generation = doors.generation;
  }

  /** Whether no other process can have told what waits for its node here. */
  get isCurrent(): boolean {
    return this.generation === this.doors.generation;
  }

  /** Tells what there is. @throws JournalError */
  async look(): Promise<void> {
    await this.note();
    const { generation } = this.doors;
    const posted = await this.doors.deliveries.untold(this.environment, this.known);
    // Meanwhile this process may have been counted as dead, and the leader may have told them.
    if (!this.isCurrent) this.dropOffered();
    if (generation !== this.generation || !this.doors.mayTell()) return;
    for (const one of posted) this.offer(one, posted);
    await this.note();
  }

  /** Resolves once what was told is noted, or the journal cannot be reached: after that nothing knows that it was told. */
  async settled(): Promise<void> {
    await this.note().catch(() => undefined);
  }

  private offer(posted: UntoldDelivery, all: readonly UntoldDelivery[]): void {
    const { message, sequence } = posted;
    const offered = this.offered.get(message)?.sequence ?? 0;
    if (this.unnoted.has(nameOf(posted)) || offered === sequence) return;
    const isReplaced = all.some((other) => other.message === message && other.sequence > sequence);
    if (isReplaced || offered > sequence || (this.told.get(message) ?? 0) >= sequence) {
      this.unnoted.set(nameOf(posted), { message, sequence });
      return;
    }
    const delivery = this.opened(posted, all);
    if (delivery === undefined) return;
    this.offered.set(message, { sequence, isCorrection: delivery.payload.correction === true });
    this.teller.deliver(this.hooks.prepare(delivery), () => {
      this.hooks.onTold(message);
      this.offered.delete(message);
      this.remember(message, sequence);
      this.unnoted.set(nameOf(posted), { message, sequence });
      this.note().catch(() => undefined);
    });
  }

  private get known(): DeliveryName[] {
    const offered = [...this.offered].map(([message, { sequence }]) => ({ message, sequence }));
    return [...offered, ...this.unnoted.values()];
  }

  private opened(posted: UntoldDelivery, all: readonly UntoldDelivery[]): Delivery | undefined {
    const { message } = posted;
    try {
      const delivery = openedDelivery(this.seal, posted);
      const { correction, ...payload } = delivery.payload;
      // What nobody was told is not corrected: only what the flow heard before that.
      const isCorrection = this.told.has(message) || (correction === true && this.correctsBefore(posted, all));
      return { ...delivery, payload: isCorrection ? { ...payload, correction: true } : payload };
    } catch (error) {
      if (!this.isFailing) this.log('error', `the result of ${posted.message}: ${String(error)}`);
      this.isFailing = true;
      return undefined;
    }
  }

  /** Whether what it replaces, which waits for its node or has come at the same time, is a correction too; or nothing is replaced. */
  private correctsBefore({ message, sequence }: UntoldDelivery, all: readonly UntoldDelivery[]): boolean {
    const offered = this.offered.get(message);
    if (offered !== undefined) return offered.isCorrection;
    const replaced = all.find((other) => other.message === message && other.sequence < sequence);
    return replaced === undefined || openedDelivery(this.seal, replaced).payload.correction === true;
  }

  private async note(): Promise<void> {
    const names = [...this.unnoted.values()];
    await this.doors.deliveries.confirm(names);
    for (const name of names) this.unnoted.delete(nameOf(name));
  }

  private dropOffered(): void {
    for (const message of this.offered.keys()) this.teller.drop(message);
    this.offered.clear();
    this.generation = this.doors.generation;
  }

  private remember(message: string, sequence: number): void {
    this.told.delete(message);
    this.told.set(message, sequence);
    const [oldest] = this.told.keys();
    if (this.told.size > REMEMBERED && oldest !== undefined) this.told.delete(oldest);
  }
}

function nameOf({ message, sequence }: DeliveryName): string {
  return `${message} ${sequence}`;
}
