import type { Client } from '../api/client.js';
import type { CallOptions } from '../api/transport/transport.js';
import type { CallbackSettings } from '../base/callback.js';
import type { PaymentError } from '../base/errors.js';
import type { Clock, NewId, Timer } from '../base/seams.js';
import type { Desk } from '../delivery/dispatcher.js';
import type { Progress, Telling } from '../delivery/listener.js';
import type { ResultPayload } from '../delivery/payload.js';
import { progressOf } from '../delivery/progress.js';
import { barePayload } from '../delivery/terminal-payload.js';
import type { Journal } from '../journal/journal.js';
import { written } from '../journal/persisted.js';
import type { OperationRecord } from '../journal/record.js';
import type { Pace } from '../lifecycle/terminal/schedule.js';
import type { Owed } from '../operation/delivery-state.js';
import type { CommonEvent } from '../operation/event.js';
import { exitOf } from '../operation/verdict.js';
import { verdictOn } from '../original/reversal.js';
import { pause } from '../platform/sleep.js';

/** What a runner needs of its engine. */
export interface Workshop {
  client: Client;
  journal: Journal;
  clock: Clock;
  newId: NewId;
  desk: Desk;
  callback?: CallbackSettings;
  pace(): Pace;
  log(level: 'info' | 'warn' | 'error', text: string): void;
  /** Called after everything that was learned. */
  moved(runner: Runner): void;
}

export interface Mail<Event> {
  event: Event;
  /** Told whether the journal has what this mail taught; its presence makes the runner save whatever it taught. */
  saved?: (ok: boolean) => void;
}

type Answered<M> = M | Mail<CommonEvent>;

const SAVE_AGAIN = 5000;
/** Node-RED gives a node 15 s to close. */
const LAST_ANSWER_WAIT = 10_000;

/**
 * Runs one operation: feeds events to its lifecycle one after the other, carries out what it answers, and keeps one
 * timer. Owns everything of the operation that is not durable. What kind of operation it is, a subclass knows.
 */
export abstract class Runner<
  R extends OperationRecord = OperationRecord,
  M extends Mail<unknown> = Mail<unknown>,
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
  protected unsaved = false;
  /** Owed to the flow, and not handed over before the journal has it: a crash would tell it a second time. */
  private withheld = false;
  protected detached = false;
  /** The next engine may have it: what this one still hears it must neither act upon nor write down. */
  private gone = false;
  /** The flow has heard of this operation in the life of this process. */
  protected heard = false;
  /** A mistake in the flow or its settings, as it was met: what an earlier life met is in the journal as text alone. */
  protected mistake: PaymentError | undefined;
  /** When something was learned last, epoch ms. A timer may fire a little early: what was not due then still is to come. */
  protected learnedAt = 0;
  private timer: Timer | undefined;
  private busy = false;
  /** When the timer is due, epoch ms. */
  private tickAt = 0;

  constructor(
    public record: R,
    protected readonly shop: Workshop,
  ) {}

  /** True while others of the same line must wait. */
  abstract get holdsTurn(): boolean;

  /** Starts the work on a record that has just become durable, and whose turn it is. */
  abstract begin(): void;

  /** What has become known of what it is about, before it is sent. */
  knows({ undoes, whole }: Pick<OperationRecord, 'undoes' | 'whole'>): void {
    this.record = { ...this.record, undoes, whole };
  }

  /** Learns from a mail: changes the record, and says what has to be done, in this order. */
  protected abstract learn(mail: Answered<M>, now: number): readonly ('save' | 'tell' | E)[];

  protected abstract carryOut(effect: E, mail: Answered<M>): void;

  /** @param again it may have been told already, before a crash */
  protected abstract payloadOf(owed: Owed, again: boolean): ResultPayload;

  /** Sends what moves money. */
  protected abstract post(): void;

  /** Asks what is due; returns the moments (epoch ms) at which something will be. */
  protected abstract moments(now: number): number[];

  /** Asks at once what would be asked later; what became of a payment is told as ever. */
  abstract lookNow(): void;

  /** True when nothing is owed, nothing is watched, and the journal knows it. */
  get isOver(): boolean {
    return this.record.closed && !this.unsaved;
  }

  /**
   * Takes up what an earlier engine left.
   * @param elsewhere that one drove another service
   */
  restore(elsewhere: boolean): void {
    const { owed } = this.record.state;
    // That nobody heard it is no longer certain once it is handed over, so the journal must forget it first.
    this.withheld = owed?.unheard === true;
    if (owed !== undefined && !this.withheld) this.tell(true);
    this.hear({ event: { type: 'restored', elsewhere }, ...(this.withheld ? { saved: () => undefined } : {}) });
  }

  hear(mail: Answered<M>): void {
    if (this.gone) {
      mail.saved?.(false);
      return;
    }
    this.inbox.push(mail);
    this.start();
  }

  /** Resolves once the journal has what a mail taught; false when it could not take it. */
  hearDurably(mail: Answered<M>): Promise<boolean> {
    return new Promise((saved) => this.hear({ ...mail, saved }));
  }

  /** Asks for the operation to be stopped, where it still can be. */
  cancel(): void {
    this.hear({ event: { type: 'cancel' } });
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
    if (this.record.state.owed !== undefined) await this.hearDurably({ event: { type: 'stopping' } });
    this.gone = true;
  }

  /** Asks what is due, and sets the one timer for what comes next. */
  protected schedule(): void {
    const now = this.shop.clock.now();
    const rests = this.detached || this.isOver;
    // Its moment has come: it is not in the future any more, so nobody would set it again.
    if (!rests && this.timer !== undefined && this.tickAt <= now) return;
    this.timer?.cancel();
    this.timer = undefined;
    if (rests) return;
    const moments = this.moments(now);
    if (this.unsaved) moments.push(now + SAVE_AGAIN);
    if (moments.length === 0) return;
    this.tickAt = Math.max(now, Math.min(...moments));
    this.timer = this.shop.clock.after(this.tickAt - now, () => this.tick());
  }

  protected report(): void {
    const { operationId } = this.record;
    const progress: Progress | undefined = this.withheld
      ? { operationId, stage: 'unwritten' }
      : progressOf(this.record, this.shop.clock.now());
    if (progress !== undefined) this.shop.desk.progress(this.record.origin.node, progress);
  }

  /** A rejected promise must not end the process: what it was about stays open, and is asked about again. */
  protected noteError(error: unknown): void {
    this.shop.log('error', `${this.record.operationId}: ${String(error)}`);
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
    await Promise.race([done, pause(this.shop.clock, LAST_ANSWER_WAIT, answered.signal)]);
  }

  /** What is heard while a mail is worked on, even by what it has just caused, waits for its end. */
  private start(): void {
    if (this.busy) return;
    this.busy = true;
    this.working = this.work();
  }

  private async work(): Promise<void> {
    for (let mail = this.inbox.shift(); mail !== undefined; mail = this.inbox.shift()) {
      try {
        await this.take(mail);
      } catch (error) {
        this.noteError(error);
        mail.saved?.(false);
      }
    }
    this.busy = false;
    this.working = undefined;
    this.schedule();
  }

  private async take(mail: Answered<M>): Promise<void> {
    const { phase } = this.record.state;
    try {
      await this.learnAndAct(mail);
    } finally {
      if (this.record.state.phase !== phase) this.report();
      this.shop.moved(this);
    }
  }

  private async learnAndAct(mail: Answered<M>): Promise<void> {
    this.learnedAt = this.shop.clock.now();
    const effects = this.learn(mail, this.learnedAt);
    // While the journal takes the new verdict, nobody may be handed the one that it replaces.
    if (effects.includes('tell')) this.shop.desk.withdraw(this.record.operationId);
    for (const effect of effects) {
      if (effect === 'save') await this.save();
      else if (effect === 'tell') this.tellIfSaved();
      else this.carryOut(effect as E, mail);
    }
    if (mail.saved !== undefined) mail.saved(effects.includes('save') ? !this.unsaved : await this.save());
    if (this.withheld && !this.unsaved) this.tellIfSaved();
  }

  private async save(): Promise<boolean> {
    try {
      await this.shop.journal.advance(written(this.record));
      this.unsaved = false;
    } catch (error) {
      if (!this.unsaved) this.shop.log('error', `journal: ${String(error)}; will try again`);
      this.unsaved = true;
    }
    return !this.unsaved;
  }

  private tellIfSaved(): void {
    this.withheld = this.unsaved;
    if (!this.unsaved) this.tell(false);
    else this.noteError(`${this.record.state.told} is not told before the journal can be written`);
  }

  private tell(again: boolean): void {
    const { owed } = this.record.state;
    if (owed === undefined) return;
    this.shop.desk.tell(this.tellingOf(owed, again), () => {
      this.heard = true;
      // Before anything else that waits: what comes later is a correction of this.
      this.inbox.unshift({ event: { type: 'told', telling: owed.telling }, saved: () => undefined });
      this.start();
    });
  }

  private tellingOf(owed: Owed, again: boolean): Telling {
    const debt = { ...owed, verdict: verdictOn(this.record, owed.verdict) };
    const payload = this.said(debt, () => this.payloadOf(debt, again));
    if (owed.correction || this.heard) payload.correction = true;
    if (again) payload.redelivered = true;
    return {
      exit: owed.mistake ? 'mistake' : exitOf(payload),
      origin: this.record.origin,
      payload,
      ...(owed.mistake && this.mistake !== undefined ? { error: this.mistake } : {}),
    };
  }

  /** Whatever stands in the way of saying it: that a person must look is told, for silence would be worse. */
  protected said(debt: Pick<Owed, 'verdict' | 'source'>, build: () => ResultPayload): ResultPayload {
    try {
      return build();
    } catch (error) {
      this.noteError(error);
      return barePayload(this.record, debt, error);
    }
  }

  /** Nothing leaves before the journal has it: what it could not take counts as not sent. */
  protected postIfSaved(): void {
    if (this.unsaved) this.dropPost('JOURNAL_UNAVAILABLE', 'the journal could not take what was to be sent');
    else if (this.record.incomplete)
      this.dropPost('NOT_SENT', 'what it needs (a card token) is not kept over a restart');
    else this.post();
  }

  private dropPost(code: string, message: string): void {
    this.hear({ event: { type: 'not-sent', error: { code, name: 'JournalError', message } } });
  }

  /** How what moves money is sent: it can be taken back while it waits for its turn, which the flow is shown. */
  protected sending(): CallOptions {
    const { operationId, origin } = this.record;
    return {
      signal: this.abort.signal,
      withdraw: this.withdrawal.signal,
      onQueued: () => this.shop.desk.progress(origin.node, { operationId, stage: 'queued' }),
    };
  }

  private tick(): void {
    this.timer = undefined;
    this.hear({ event: { type: 'tick' }, ...(this.unsaved ? { saved: () => undefined } : {}) });
    this.report();
  }
}
