import type { SealedJson } from '../../base/privacy/sealed-json.js';
import type { DeliveryName, Doors, UntoldDelivery } from '../../journal/doors.js';
import type { Heard } from '../heard.js';
import type { Delivery } from '../listener.js';
import { openedDelivery } from './sealed-delivery.js';

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
  /** Told, and not noted yet. */
  private readonly unnoted = new Map<string, DeliveryName>();
  /** The verdict that waits for each message whose node is not attached yet. */
  private readonly offered = new Map<string, { sequence: number; mayHaveHeard: boolean }>();
  /** By message: verdicts that a later one has replaced before they were told. */
  private readonly replaced = new Map<string, DeliveryName[]>();
  private generation: number;
  /** What cannot be opened here, and was said to be so. */
  private readonly unopened = new Set<string>();

  constructor(
    private readonly doors: Doors,
    private readonly environment: string,
    private readonly seal: SealedJson,
    private readonly teller: Teller,
    private readonly heard: Heard,
    private readonly log: (level: 'warn' | 'error', text: string) => void,
    private readonly hooks: TellingHooks = { prepare: (delivery) => delivery, onTold: () => undefined },
  ) {
    this.generation = doors.generation;
  }

  /** Whether no other process can have told what waits for its node here. */
  get isCurrent(): boolean {
    return this.generation === this.doors.generation;
  }

  /** The journal knows of everything that was told here. */
  get isNoted(): boolean {
    return this.unnoted.size === 0;
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
    if (this.heard.lastOf(message) >= sequence) {
      this.noteLater({ message, sequence });
      return;
    }
    if (offered > sequence || all.some((other) => other.message === message && other.sequence > sequence)) {
      this.replace({ message, sequence });
      return;
    }
    const delivery = this.opened(posted, all);
    if (delivery === undefined) return;
    if (offered > 0) this.replace({ message, sequence: offered });
    this.offered.set(message, { sequence, mayHaveHeard: mayHaveHeard(delivery) });
    this.teller.deliver(this.hooks.prepare(delivery), () => {
      this.hooks.onTold(message);
      this.offered.delete(message);
      this.heard.noteTold(message, sequence);
      for (const name of [...(this.replaced.get(message) ?? []), { message, sequence }]) this.noteLater(name);
      this.replaced.delete(message);
      this.note().catch(() => undefined);
    });
  }

  /** What replaces it may never be told here. Whoever tells that then has to see that nobody has heard what it corrects. */
  private replace(name: DeliveryName): void {
    this.replaced.set(name.message, [...(this.replaced.get(name.message) ?? []), name]);
  }

  private noteLater(name: DeliveryName): void {
    this.unnoted.set(nameOf(name), name);
  }

  private get known(): DeliveryName[] {
    const offered = [...this.offered].map(([message, { sequence }]) => ({ message, sequence }));
    return [...offered, ...[...this.replaced.values()].flat(), ...this.unnoted.values()];
  }

  private opened(posted: UntoldDelivery, all: readonly UntoldDelivery[]): Delivery | undefined {
    const { message } = posted;
    try {
      const delivery = openedDelivery(this.seal, posted);
      const { correction, ...payload } = delivery.payload;
      // What nobody was told is not corrected: only what the flow heard before that.
      const isCorrection = this.heard.lastOf(message) > 0 || (correction === true && this.correctsBefore(posted, all));
      return { ...delivery, payload: isCorrection ? { ...payload, correction: true } : payload };
    } catch (error) {
      if (!this.unopened.has(nameOf(posted)))
        this.log('error', `the result of ${message}: ${String(error)}; it is kept until then`);
      this.unopened.add(nameOf(posted));
      return undefined;
    }
  }

  /**
   * Whether the flow may have heard something before what it replaces, which waits for its node or has come at the same time; or
   * nothing is replaced.
   */
  private correctsBefore({ message, sequence }: UntoldDelivery, all: readonly UntoldDelivery[]): boolean {
    const offered = this.offered.get(message);
    if (offered !== undefined) return offered.mayHaveHeard;
    const replaced = all.find((other) => other.message === message && other.sequence < sequence);
    return replaced === undefined || mayHaveHeard(openedDelivery(this.seal, replaced));
  }

  private async note(): Promise<void> {
    const names = [...this.unnoted.values()];
    await this.doors.deliveries.confirm(names);
    for (const name of names) this.unnoted.delete(nameOf(name));
  }

  /** Leaves to whoever looks next what waits for its node. */
  dropOffered(): void {
    for (const message of this.offered.keys()) this.teller.drop(message);
    this.offered.clear();
    this.replaced.clear();
    this.generation = this.doors.generation;
  }
}

function nameOf({ message, sequence }: DeliveryName): string {
  return `${message} ${sequence}`;
}

/** It corrects what the flow has heard, or a process that has ended may have told it already. */
function mayHaveHeard({ payload }: Delivery): boolean {
  return payload.correction === true || payload.redelivered === true;
}
