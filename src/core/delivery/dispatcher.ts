import type { Timer } from '../base/seams.js';
import { TransientMap } from '../base/transient.js';
import type { Origin } from '../operation/order.js';
import type { Delivery, Listener, Progress, StageChange } from './listener.js';

/** A result as callback-in gets it. */
export interface ResultEvent {
  delivery: Delivery;
  /** The node that the message came from gets it as well. */
  claimed: boolean;
  /** It came after the flow had a final result. */
  late: boolean;
}

/** Returns whether it takes the result. One that does not, such as callback-in without a wire, counts as absent. */
export type Subscriber = (event: ResultEvent) => boolean;

interface Waiting {
  delivery: Delivery;
  onDelivered: () => void;
  /** It says that the journal cannot be written. */
  isUnwritten: boolean;
}

/** Says whether this process still has the journal: another one that has taken it over delivers the same results. */
export interface Gate {
  mayAct(): boolean;
  /** Calls `run` some time later. */
  later(run: () => void): Timer;
}

/** Tells other processes what becomes of the messages that came in by them. */
export interface Elsewhere {
  /** This process. */
  readonly replica: string;
  /** The process that a message came in by; undefined: this one. */
  replicaOf(origin: Origin): string | undefined;
  deliver(delivery: Delivery, sequence: number, replica: string, onDelivered: () => void): void;
  progress(replica: string, origin: Origin, progress: Progress): void;
  stage(replica: string, change: StageChange): void;
}

/**
 * Hands every delivery to the node its message came from. Where that node is not attached (a redeploy, a restart) the
 * delivery waits for it. Once the flows are started, a missing node is gone for good, and callback-in gets the delivery.
 * Nothing is handed over while it is held: a node may be there before those that it sends to.
 */
export class Dispatcher {
  private readonly listeners = new Map<string, Listener>();
  private readonly subscribers = new Set<Subscriber>();
  /** By {@link Delivery.id}. A later result for a message replaces one that nobody has yet. */
  private readonly waiting = new TransientMap<Waiting[]>();
  /** For callback-in alone, in this order. */
  private readonly late: Omit<Waiting, 'isUnwritten'>[] = [];
  /** Messages whose trouble is logged already. */
  private readonly noted = new WeakSet<Origin>();
  private flowsStarted = false;
  private isHeld = false;
  private retry: Timer | undefined;
  private isStopped = false;
  /** Absent where messages come in by this process alone. */
  elsewhere: Elsewhere | undefined;

  constructor(
    private readonly log: (level: 'warn' | 'error', text: string) => void,
    private readonly gate: Gate,
  ) {}

  /** Nothing waits for its node. */
  get isIdle(): boolean {
    return this.waiting.size === 0;
  }

  /** Nothing is handed over any more. */
  stop(): void {
    this.isStopped = true;
    this.retry?.cancel();
  }

  attach(node: string, listener: Listener): () => void {
    this.listeners.set(node, listener);
    this.handOver();
    return () => {
      if (this.listeners.get(node) === listener) this.listeners.delete(node);
      this.flowsStarted = false;
    };
  }

  subscribe(subscriber: Subscriber): () => void {
    this.subscribers.add(subscriber);
    this.handOver();
    return () => this.subscribers.delete(subscriber);
  }

  /** Hands nothing over until {@link releaseUnclaimed}. */
  hold(): void {
    this.isHeld = true;
    this.flowsStarted = false;
  }

  /** From now on a delivery that no attached node takes goes to callback-in. */
  releaseUnclaimed(): void {
    this.isHeld = false;
    this.flowsStarted = true;
    this.handOver();
  }

  /**
   * Calls `onDelivered` once the delivery is handed over, which may be never in the life of this process.
   * @param isUnwritten it says that the journal cannot be written
   */
  deliver(delivery: Delivery, onDelivered: () => void, isUnwritten = false): void {
    const replica = this.elsewhere?.replicaOf(delivery.origin);
    const isHere = replica === undefined || (isUnwritten && replica === this.elsewhere?.replica);
    if (isHere) this.deliverHere(delivery, onDelivered, isUnwritten);
    // Without the journal nothing reaches another process, which says itself that it hears nothing.
    else if (delivery.sequence !== undefined)
      this.elsewhere?.deliver(delivery, delivery.sequence, replica, onDelivered);
  }

  /** Whether a message came in by another process, which tells its results. */
  isForElsewhere(origin: Origin): boolean {
    return this.elsewhere?.replicaOf(origin) !== undefined;
  }

  /** Delivers by a node of this process, wherever the message came in. */
  deliverHere(delivery: Delivery, onDelivered: () => void, isUnwritten = false): void {
    const { id } = delivery;
    this.withdraw(id);
    this.waiting.set(id, [...(this.waiting.get(id) ?? []), { delivery, onDelivered, isUnwritten }]);
    this.tryHandOver(id);
  }

  /** Whether a part of the flow may have got what waits, because its node threw while it sent it. */
  mayHaveTold(id: string): boolean {
    return this.waiting.get(id)?.some(({ delivery }) => delivery.payload.redelivered) === true;
  }

  /** Drops what nobody has yet, because a newer result follows. What may have been delivered before is kept. */
  withdraw(id: string): void {
    const again = this.waiting.get(id)?.filter(({ delivery }) => delivery.payload.redelivered) ?? [];
    if (again.length === 0) this.waiting.delete(id);
    else this.waiting.set(id, again);
  }

  /** Forgets what nobody has yet: another process has told it. */
  drop(id: string): void {
    this.waiting.delete(id);
  }

  /** A result that changes nothing any more: for callback-in alone. */
  deliverLate(delivery: Delivery, onDelivered: () => void = () => undefined): void {
    this.late.push({ delivery, onDelivered });
    this.tryHandOverLate();
  }

  progress(origin: Origin, progress: Progress): void {
    const replica = this.otherReplicaOf(origin);
    if (replica !== undefined) {
      this.elsewhere?.progress(replica, origin, progress);
      return;
    }
    const listener = this.listeners.get(origin.node);
    if (listener !== undefined) this.trying(() => listener.progress(progress));
  }

  stage(change: StageChange): void {
    const replica = this.otherReplicaOf(change.origin);
    if (replica !== undefined) {
      this.elsewhere?.stage(replica, change);
      return;
    }
    const listener = this.listeners.get(change.origin.node);
    if (listener?.stage !== undefined && this.gate.mayAct()) this.trying(() => listener.stage?.(change));
  }

  /**
   * The process that a hint has to go to; undefined: this one. A result for this process may have to go through the journal,
   * where an earlier leader may have put it already. A hint never has to.
   */
  private otherReplicaOf(origin: Origin): string | undefined {
    const replica = this.elsewhere?.replicaOf(origin);
    return replica === this.elsewhere?.replica ? undefined : replica;
  }

  /** While nodes come and go there may be no callback-in that takes it; once the flows are started, none is to be expected. */
  private tryHandOverLate(): void {
    // A process that has taken the journal over hears of it too, and reports it.
    if (!this.gate.mayAct()) this.late.length = 0;
    if (this.isHeld) return;
    for (const waiting of this.late.splice(0)) {
      const { delivery, onDelivered } = waiting;
      const notified = this.notify({ delivery, claimed: false, late: true });
      if (notified === 'thrown') {
        this.late.push({ delivery: asTold(delivery), onDelivered });
        this.tryLater();
      } else if (notified === 'taken' || this.flowsStarted) onDelivered();
      else this.late.push(waiting);
    }
  }

  private handOver(): void {
    this.tryHandOverLate();
    for (const id of [...this.waiting.ids()]) this.tryHandOver(id);
  }

  private tryHandOver(id: string): void {
    if (this.isHeld) return;
    const all = this.waiting.get(id) ?? [];
    for (const [place, { delivery, onDelivered, isUnwritten }] of all.entries()) {
      if (!isUnwritten && !this.gate.mayAct()) {
        this.tryLater();
        return;
      }
      const listener = this.listeners.get(delivery.origin.node);
      if (listener === undefined && !this.flowsStarted) return;
      this.waiting.delete(id);
      const claimed = listener !== undefined && this.isTakenBy(listener, delivery);
      const left = claimed || listener === undefined ? delivery : asTold(delivery);
      // Of several messages about one order, callback-in hears of the first.
      const isForAll = !claimed || !delivery.payload.repeated;
      const notified = isForAll ? this.notify({ delivery: left, claimed, late: false }) : 'nobody';
      if (!claimed && notified !== 'taken') {
        const again = notified === 'thrown' ? asTold(left) : left;
        // What the journal does not have only this process can correct: it counts as told once a part of the flow may have it.
        const isToldAlready = isUnwritten && again !== delivery;
        const onTold = isToldAlready ? () => undefined : onDelivered;
        this.waiting.set(id, [{ delivery: again, onDelivered: onTold, isUnwritten }, ...all.slice(place + 1)]);
        if (isToldAlready) onDelivered();
        if (again === delivery) this.noteUnclaimed(delivery);
        else this.tryLater();
        return;
      }
      onDelivered();
    }
  }

  private tryLater(): void {
    if (this.isStopped || this.retry !== undefined) return;
    this.retry = this.gate.later(() => {
      this.retry = undefined;
      this.handOver();
    });
  }

  /** `thrown`: a callback-in threw over it, so that a part of the flow may have it, and no other takes it. */
  private notify(event: ResultEvent): 'taken' | 'nobody' | 'thrown' {
    let [isTaken, hasThrown] = [false, false];
    for (const subscriber of this.subscribers) {
      try {
        isTaken = subscriber(event) || isTaken;
      } catch (error) {
        hasThrown = true;
        this.note('error', event.delivery, `a callback-in node could not send it: ${String(error)}`);
      }
    }
    if (isTaken) return 'taken';
    return hasThrown ? 'thrown' : 'nobody';
  }

  private noteUnclaimed(delivery: Delivery): void {
    this.note(
      'warn',
      delivery,
      'its node no longer exists, and there is no callback-in node that is wired to an enabled node to receive it',
    );
  }

  /** Once for each message. */
  private note(level: 'warn' | 'error', delivery: Delivery, what: string): void {
    if (this.noted.has(delivery.origin)) return;
    this.noted.add(delivery.origin);
    const { operationId, outcome, amount } = delivery.payload;
    // Of several messages about one order only this one has nobody.
    const message = delivery.id === operationId ? '' : `, for the message ${delivery.id} that repeats it`;
    const text = [outcome, amount?.total, amount?.currency].filter(Boolean).join(' ');
    this.log(level, `${operationId}${message}: ${text}; ${what}`);
  }

  /** What a node throws may come from whoever listens to it, and be over soon: the flow has not heard the result. */
  private isTakenBy(listener: Listener, delivery: Delivery): boolean {
    try {
      listener.deliver(delivery);
      return true;
    } catch (error) {
      this.note('error', delivery, `its node could not send it, and tries again: ${String(error)}`);
      return false;
    }
  }

  /** A node that throws must not keep the delivery from the others. */
  private trying(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.log('error', `a node could not process its result: ${String(error)}`);
    }
  }
}

/** As one that a part of the flow may have: one of the wires of a node that threw may have got it. */
function asTold(delivery: Delivery): Delivery {
  return { ...delivery, payload: { ...delivery.payload, redelivered: true } };
}
