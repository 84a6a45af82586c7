import type { Client } from '../api/client.js';
import type { CallOptions } from '../api/transport/transport.js';
import type { CallbackSettings } from '../base/callback.js';
import type { PaymentError } from '../base/errors.js';
import type { Clock, NewId, Timer } from '../base/seams.js';
import type { Dispatcher } from '../delivery/dispatcher.js';
import type { Delivery, Progress } from '../delivery/listener.js';
import type { ResultPayload } from '../delivery/payload.js';
import { progressOf } from '../delivery/progress.js';
import { barePayload } from '../delivery/terminal-payload.js';
import type { Journal } from '../journal/journal.js';
import { persisted } from '../journal/persisted.js';
import type { OperationRecord } from '../journal/record.js';
import type { Load } from '../lifecycle/terminal/schedule.js';
import type { PendingDelivery } from '../operation/delivery-state.js';
import type { CommonEvent } from '../operation/event.js';
import { exitOf } from '../operation/verdict.js';
import { verdictFor } from '../original/reversal.js';
import { sleep } from '../platform/sleep.js';

/** What a runner needs of its engine. */
export interface RunnerContext {
  client: Client;
  journal: Journal;
  clock: Clock;
  newId: NewId;
  dispatcher: Dispatcher;
  callback?: CallbackSettings;
  load(): Load;
  log(level: 'info' | 'warn' | 'error', text: string): void;
  /** Called after everything that was learned. */
  onChange(runner: Runner): void;
}

export interface Envelope<Event> {
  event: Event;
  /** Told whether the journal has what this envelope taught; its presence makes the runner save whatever it taught. */
  onPersisted?: (ok: boolean) => void;
}

type Answered<M> = M | Envelope<CommonEvent>;

const SAVE_AGAIN = 5000;
/** Node-RED gives a node 15 s to close. */
const LAST_ANSWER_WAIT = 10_000;

/**
 * Runs one operation: feeds events to its lifecycle one after the other, carries out what it answers, and keeps one
 * timer. Owns everything of the operation that is not durable. What kind of operation it is, a subclass knows.
 */
export abstract class Runner<
  R extends OperationRecord = OperationRecord,
  M extends Envelope<unknown> = Envelope<unknown>,
  E extends string = string,
> {
  protected readonly inbox: Answered<M>[] = [];
  /** Ends every question, and in the end a request that is on its way. */
  protected readonly abort = new AbortController();
  /** Takes a request back that still waits for the rate limit. */
  protected readonly withdrawal = new AbortController();
  protected working: Promise<void> | undefined;
  /** A request that moves money, on its way. */
  protected posting: Promise<void> | undefined;
  protected unpersisted = false;
  /** Owed to the flow, and not handed over before the journal has it: a crash would tell it a second time. */
  private withheld = false;
  protected detached = false;
  /** The next engine may have it: what this one still hears it must neither act upon nor write down. */
  private released = false;
  /** The flow has heard of this operation in the life of this process. */
  protected hasDelivered = false;
  /** A mistake in the flow or its settings, as it was met: what an earlier life met is in the journal as text alone. */
  protected mistake: PaymentError | undefined;
  /** When something was learned last, epoch ms. A timer may fire a little early: what was not due then still is to come. */
  protected appliedAt = 0;
  private timer: Timer | undefined;
  private busy = false;
  /** When the timer is due, epoch ms. */
  private tickAt = 0;

  constructor(
    public record: R,
    protected readonly context: RunnerContext,
  ) {}

  /** True while others of the same line must wait. */
  abstract get holdsTurn(): boolean;

  /** Starts the work on a record that has just become durable, and whose turn it is. */
  abstract begin(): void;

  /** What has become known of what it is about, before it is sent. */
  refreshOriginal({ reverses, reversedAmount }: Pick<OperationRecord, 'reverses' | 'reversedAmount'>): void {
    this.record = { ...this.record, reverses, reversedAmount };
  }

  /** Learns from a envelope: changes the record, and says what has to be done, in this order. */
  protected abstract apply(envelope: Answered<M>, now: number): readonly ('save' | 'deliver' | E)[];

  protected abstract execute(effect: E, envelope: Answered<M>): void;

  /** @param again it may have been told already, before a crash */
  protected abstract payloadOf(pending: PendingDelivery, again: boolean): ResultPayload;

  /** Sends what moves money. */
  protected abstract post(): void;

  /** Asks what is due; returns the moments (epoch ms) at which something will be. */
  protected abstract nextDeadlines(now: number): number[];

  /** Asks at once what would be asked later; what became of a payment is told as ever. */
  abstract checkNow(): void;

  /** True when nothing is pending, nothing is watched, and the journal knows it. */
  get isOver(): boolean {
    return this.record.closed && !this.unpersisted;
  }

  /**
   * Takes up what an earlier engine left.
   * @param serviceChanged that one drove another service
   */
  restore(serviceChanged: boolean): void {
    const { pending } = this.record.state;
    // That nobody heard it is no longer certain once it is handed over, so the journal must forget it first.
    this.withheld = pending?.undelivered === true;
    if (pending !== undefined && !this.withheld) this.deliver(true);
    this.enqueue({
      event: { type: 'restored', serviceChanged },
      ...(this.withheld ? { onPersisted: () => undefined } : {}),
    });
  }

  enqueue(envelope: Answered<M>): void {
    if (this.released) {
      envelope.onPersisted?.(false);
      return;
    }
    this.inbox.push(envelope);
    this.start();
  }

  /** Resolves once the journal has what a envelope taught; false when it could not take it. */
  enqueueDurably(envelope: Answered<M>): Promise<boolean> {
    return new Promise((onPersisted) => this.enqueue({ ...envelope, onPersisted }));
  }

  /** Asks for the operation to be stopped, where it still can be. */
  cancel(): void {
    this.enqueue({ event: { type: 'cancel' } });
    this.withdrawal.abort();
  }

  /** Gives a request on its way 10 s to be answered, notes where everything stands, and leaves no timer. */
  async detach(): Promise<void> {
    this.detached = true;
    this.timer?.cancel();
    this.withdrawal.abort();
    await this.lastAnswer();
    this.abort.abort();
    await this.rest();
    if (this.record.state.pending !== undefined) await this.enqueueDurably({ event: { type: 'stopping' } });
    this.released = true;
  }

  /** Asks what is due, and sets the one timer for what comes next. */
  protected schedule(): void {
    const now = this.context.clock.now();
    const rests = this.detached || this.isOver;
    // Its moment has come: it is not in the future any more, so nobody would set it again.
    if (!rests && this.timer !== undefined && this.tickAt <= now) return;
    this.timer?.cancel();
    this.timer = undefined;
    if (rests) return;
    const moments = this.nextDeadlines(now);
    if (this.unpersisted) moments.push(now + SAVE_AGAIN);
    if (moments.length === 0) return;
    this.tickAt = Math.max(now, Math.min(...moments));
    this.timer = this.context.clock.after(this.tickAt - now, () => this.tick());
  }

  protected report(): void {
    const { operationId } = this.record;
    const progress: Progress | undefined = this.withheld
      ? { operationId, stage: 'unwritten' }
      : progressOf(this.record, this.context.clock.now());
    if (progress !== undefined) this.context.dispatcher.progress(this.record.origin.node, progress);
  }

  /** A rejected promise must not end the process: what it was about stays open, and is asked about again. */
  protected noteError(error: unknown): void {
    this.context.log('error', `${this.record.operationId}: ${String(error)}`);
  }

  /** Until nothing is under way: what is written after the end would replace what the next engine has written. */
  private async rest(): Promise<void> {
    while (this.posting !== undefined || this.working !== undefined) {
      await this.posting;
      await this.working;
    }
  }

  private async lastAnswer(): Promise<void> {
    if (this.posting === undefined) return;
    const answered = new AbortController();
    const done = this.posting.then(() => answered.abort());
    await Promise.race([done, sleep(this.context.clock, LAST_ANSWER_WAIT, answered.signal)]);
  }

  /** What is heard while a envelope is worked on, even by what it has just caused, waits for its end. */
  private start(): void {
    if (this.busy) return;
    this.busy = true;
    this.working = this.work();
  }

  private async work(): Promise<void> {
    for (let envelope = this.inbox.shift(); envelope !== undefined; envelope = this.inbox.shift()) {
      try {
        await this.take(envelope);
      } catch (error) {
        this.noteError(error);
        envelope.onPersisted?.(false);
      }
    }
    this.busy = false;
    this.working = undefined;
    this.schedule();
  }

  private async take(envelope: Answered<M>): Promise<void> {
    const { phase } = this.record.state;
    try {
      await this.learnAndAct(envelope);
    } finally {
      if (this.record.state.phase !== phase) this.report();
      this.context.onChange(this);
    }
  }

  private async learnAndAct(envelope: Answered<M>): Promise<void> {
    this.appliedAt = this.context.clock.now();
    const effects = this.apply(envelope, this.appliedAt);
    // While the journal takes the new verdict, nobody may be handed the one that it replaces.
    if (effects.includes('deliver')) this.context.dispatcher.withdraw(this.record.operationId);
    for (const effect of effects) {
      if (effect === 'save') await this.save();
      else if (effect === 'deliver') this.deliverIfPersisted();
      else this.execute(effect as E, envelope);
    }
    if (envelope.onPersisted !== undefined)
      envelope.onPersisted(effects.includes('save') ? !this.unpersisted : await this.save());
    if (this.withheld && !this.unpersisted) this.deliverIfPersisted();
  }

  private async save(): Promise<boolean> {
    try {
      await this.context.journal.advance(persisted(this.record));
      this.unpersisted = false;
    } catch (error) {
      if (!this.unpersisted) this.context.log('error', `journal: ${String(error)}; will try again`);
      this.unpersisted = true;
    }
    return !this.unpersisted;
  }

  private deliverIfPersisted(): void {
    this.withheld = this.unpersisted;
    if (!this.unpersisted) this.deliver(false);
    else this.noteError(`${this.record.state.reported} is not told before the journal can be written`);
  }

  private deliver(again: boolean): void {
    const { pending } = this.record.state;
    if (pending === undefined) return;
    this.context.dispatcher.deliver(this.deliveryOf(pending, again), () => {
      this.hasDelivered = true;
      // Before anything else that waits: what comes later is a correction of this.
      this.inbox.unshift({ event: { type: 'delivered', sequence: pending.sequence }, onPersisted: () => undefined });
      this.start();
    });
  }

  private deliveryOf(owed: PendingDelivery, again: boolean): Delivery {
    const pending = { ...owed, verdict: verdictFor(this.record, owed.verdict) };
    const payload = this.safePayload(pending, () => this.payloadOf(pending, again));
    if (pending.correction || this.hasDelivered) payload.correction = true;
    if (again) payload.redelivered = true;
    return {
      exit: pending.mistake ? 'mistake' : exitOf(payload),
      origin: this.record.origin,
      payload,
      ...(pending.mistake && this.mistake !== undefined ? { error: this.mistake } : {}),
    };
  }

  /** Whatever stands in the way of saying it: that a person must look is told, for silence would be worse. */
  protected safePayload(
    pending: Pick<PendingDelivery, 'verdict' | 'source'>,
    build: () => ResultPayload,
  ): ResultPayload {
    try {
      return build();
    } catch (error) {
      this.noteError(error);
      return barePayload(this.record, pending, error);
    }
  }

  /** Nothing leaves before the journal has it: what it could not take counts as not sent. */
  protected postIfPersisted(): void {
    if (this.unpersisted) this.dropPost('JOURNAL_UNAVAILABLE', 'the journal could not take what was to be sent');
    else if (this.record.incomplete)
      this.dropPost('NOT_SENT', 'what it needs (a card token) is not kept over a restart');
    else this.post();
  }

  private dropPost(code: string, message: string): void {
    this.enqueue({ event: { type: 'not-sent', error: { code, name: 'JournalError', message } } });
  }

  /** How what moves money is sent: it can be taken back while it waits for its turn, which the flow is shown. */
  protected sending(): CallOptions {
    const { operationId, origin } = this.record;
    return {
      signal: this.abort.signal,
      withdraw: this.withdrawal.signal,
      onQueued: () => this.context.dispatcher.progress(origin.node, { operationId, stage: 'queued' }),
    };
  }

  private tick(): void {
    this.timer = undefined;
    this.enqueue({ event: { type: 'tick' }, ...(this.unpersisted ? { onPersisted: () => undefined } : {}) });
    this.report();
  }
}
