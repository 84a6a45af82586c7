import type { CallOptions } from '../api/transport/transport.js';
import { Abort } from '../base/abort.js';
import { PaymentError, UnwrittenError } from '../base/errors.js';
import { changed } from '../base/objects.js';
import type { Progress, StageChange } from '../delivery/listener.js';
import type { ResultPayload } from '../delivery/payload.js';
import { progressOf } from '../delivery/progress.js';
import type { Existing } from '../journal/order-claim.js';
import type { OperationRecord } from '../journal/record.js';
import { type PendingDelivery, withoutOldNo } from '../operation/delivery-state.js';
import type { CommonEvent, Resumed } from '../operation/event.js';
import { movesMoney } from '../operation/kinds.js';
import { type FailureEvent, failureEvent } from '../operation/refusal.js';
import { withOriginal } from '../original/reversal.js';
import { Admission } from './admission.js';
import { DeadlineTimer } from './deadline-timer.js';
import { lastAnswer } from './last-answer.js';
import { LostAnswers } from './lost-answers.js';
import { type Envelope, Mailbox } from './mailbox.js';
import { type NumberedDelivery, Outbox } from './outbox.js';
import { RecordWriter } from './record-writer.js';
import type { AnyRunner, RunnerContext } from './runner-context.js';
import { Stages } from './stages.js';
import { TimeLooks } from './time-looks.js';

type Incoming<M> = M | Envelope<CommonEvent>;

/** Saves after an event even where the lifecycle does not ask for it. */
export const SAVE = { onPersisted: () => undefined };

/**
 * Runs one operation: feeds events to its lifecycle one after the other, and executes the effects that the lifecycle
 * answers with. Owns everything of the operation that is not durable. Subclasses know the kinds of operations.
 */
export abstract class Runner<R extends OperationRecord, M extends Envelope<unknown>, E extends string>
  implements AnyRunner
{
  /** Ends every probe, and in the end a request that is on its way. */
  protected readonly abort = new Abort();
  protected detached = false;
  protected readonly looks = new TimeLooks();
  readonly outbox: Outbox;
  /** How far the wall clock was ahead of the process's own clock when the operation was taken up, ms. */
  private readonly aheadAtFirst: number;
  /** Withdraws a request that still waits for the rate limit. */
  protected readonly withdrawal = new Abort();
  private sending: Admission | undefined;
  private readonly mailbox: Mailbox<Incoming<M>>;
  private readonly timer: DeadlineTimer;
  private readonly writer: RecordWriter;
  /** A request that moves money, on its way. */
  private posting: Promise<void> | undefined;
  private readonly stages: Stages;
  private readonly lost: LostAnswers;

  constructor(
    public record: R,
    protected readonly context: RunnerContext,
  ) {
    const { journal, clock, dispatcher, log } = context;
    this.mailbox = new Mailbox(
      (envelope) => this.handle(envelope),
      () => this.schedule(),
    );
    this.aheadAtFirst = clock.wall() - clock.now();
    this.stages = new Stages(context, () => this.record);
    this.lost = new LostAnswers(log);
    this.timer = new DeadlineTimer(clock, () => this.tick());
    this.writer = new RecordWriter(journal, clock, log, () => this.outbox.reportUnavailable());
    this.outbox = new Outbox(dispatcher, this.writer, {
      record: () => this.record,
      payloadOf: (pending, again) => this.payloadOf(pending, again),
      // Before everything else that waits: a later verdict is a correction of the one that was delivered.
      onDelivered: (sequence) => this.mailbox.enqueueFirst({ event: { type: 'delivered', sequence }, ...SAVE }),
      onVerdict: (delivery) => context.echo.verdict(this.record, delivery),
      onUnavailable: () => this.mailbox.enqueueFirst({ event: { type: 'unavailable' } }),
      noteError: (error) => this.noteError(error),
    });
  }

  abstract get holdsTurn(): boolean;

  abstract begin(): void;

  abstract checkNow(): void;

  /** Applies an event to the record. Returns the effects, to be executed in this order. */
  protected abstract apply(envelope: Incoming<M>, now: number): readonly ('save' | 'deliver' | E)[];

  protected abstract execute(effect: E, envelope: Incoming<M>): void;

  /** @param again an earlier engine may have delivered it already, before a crash */
  protected abstract payloadOf(pending: PendingDelivery, again: boolean): ResultPayload;

  /** Sends what moves money, once. */
  protected abstract post(): void;

  /** Whether the order is too old to be sent. */
  protected abstract isStale(now: number): boolean;

  /** The process before would have told the flow by now. */
  protected abstract isOverdue(now: number): boolean;

  /** Starts the probes that are due. Returns when others will be, epoch ms. */
  protected abstract nextDeadlines(now: number): number[];

  /** Made for what is sent: most that is taken up after a restart has been. */
  protected get admission(): Admission {
    this.sending ??= new Admission({
      isSending: () => this.record.state.phase === 'sending',
      enqueue: (event) => this.enqueue({ event }),
      enqueueDurably: (event) => this.enqueueDurably({ event }),
    });
    return this.sending;
  }

  get isOver(): boolean {
    return this.record.closed && !this.unpersisted;
  }

  get unpersisted(): boolean {
    return this.writer.unpersisted;
  }

  /**
   * Writes the record for the first time, once `leased` resolves. Undefined: it could not be written, and the flow has been
   * told so.
   * @throws JournalError: it could not be written, and the flow has been told nothing
   */
  async create(leased: Promise<void>): Promise<{ attempt: number } | Existing | undefined> {
    try {
      return await this.writer.create(this.record, leased);
    } catch (error) {
      if (!this.outbox.retract(error)) throw error;
      this.mailbox.close();
      return undefined;
    }
  }

  restore(resumed: Resumed, isRewritten: boolean): void {
    if (movesMoney(this.record.operation)) this.record = { ...this.record, state: withoutOldNo(this.record.state) };
    this.outbox.resume();
    // What is overdue is asked for first: should this process die over that, the next one knows.
    const isSaved = isRewritten || this.outbox.isWithheld || this.isOverdue(this.context.clock.now());
    this.enqueue({ event: { type: 'restored', ...resumed }, ...(isSaved ? SAVE : {}) });
  }

  idle(): Promise<void> {
    return this.mailbox.idle();
  }

  refreshOriginal(known: Pick<OperationRecord, 'reverses' | 'reversedAmount'>): void {
    this.record = withOriginal(this.record, known);
  }

  latestDelivery(): NumberedDelivery | undefined {
    return this.outbox.latestDelivery();
  }

  stage(): StageChange | undefined {
    return this.stages.now();
  }

  announce(): void {
    this.stages.announce();
  }

  enqueue(envelope: Incoming<M>): void {
    this.mailbox.enqueue(envelope);
  }

  /** Resolves once the event is handled, with whether the journal has the record as the event left it. */
  enqueueDurably(envelope: Incoming<M>): Promise<boolean> {
    return new Promise((onPersisted) => this.enqueue(changed(envelope, { onPersisted } as Partial<Incoming<M>>)));
  }

  cancel(): void {
    this.enqueue({ event: { type: 'cancel' } });
    this.withdrawal.abort();
  }

  async detach(): Promise<void> {
    this.detached = true;
    this.timer.cancel();
    this.withdrawal.abort();
    await lastAnswer(this.context.clock, this.posting);
    this.abort.abort();
    await this.rest();
    if (this.record.state.pending !== undefined) await this.enqueueDurably({ event: { type: 'stopping' } });
    // From now on the next engine may have the operation: this one must neither act nor write any more.
    this.mailbox.close();
  }

  /** How far the wall clock has jumped ahead since the operation was taken up, ms. */
  protected jumped(): number {
    const { clock } = this.context;
    return Math.max(0, clock.wall() - clock.now() - this.aheadAtFirst);
  }

  /** Starts the probes that are due, and sets the timer for what comes next. */
  protected schedule(): void {
    if (this.detached || this.isOver || this.writer.isCreating) {
      this.timer.cancel();
      return;
    }
    if (this.timer.isDue) return;
    const now = this.context.clock.now();
    const again = [this.looks.againAt, this.writer.againAt].filter((at) => at !== undefined);
    this.timer.set([...this.nextDeadlines(now), ...again]);
  }

  /** After a probe without evidence. While an event is handled nothing is needed: scheduling follows it anyway. */
  protected scheduleIfIdle(): void {
    if (!this.mailbox.isBusy) this.schedule();
  }

  /** Sends only what the journal has: what it could not store counts as not sent. */
  protected postIfPersisted(): void {
    if (this.unpersisted) this.dropPost('JOURNAL_UNAVAILABLE', 'the journal could not take what was to be sent');
    else if (this.record.incomplete)
      this.dropPost('NOT_SENT', 'what it needs (a card token) is not kept over a restart');
    else this.post();
  }

  /**
   * Follows a request that moves money. An error of the request itself may be certain that nothing happened; after any
   * other error, such as one in reading the answer, the outcome is open.
   */
  protected follow<A>(request: Promise<A>, envelopeOf: (answer: A) => M): void {
    this.posting = request
      .then(envelopeOf, (error) => this.failed(error))
      .catch((error): Envelope<FailureEvent> => {
        this.noteError(error);
        return { event: { type: 'answer-lost' } };
      })
      .then((envelope) => {
        this.posting = undefined;
        this.enqueue(envelope);
      });
  }

  /** A request can be withdrawn while it waits for the rate limit; meanwhile the flow is shown that it waits. */
  protected callOptions(): CallOptions & Required<Pick<CallOptions, 'withdraw'>> {
    const { operationId, origin } = this.record;
    return {
      signal: this.abort.signal,
      withdraw: this.withdrawal.signal,
      mayStart: () => {
        this.noteQueued(false);
        if (!this.context.journal.mayAct()) throw new UnwrittenError('another process may have taken over the journal');
        return !this.isStale(this.context.clock.now());
      },
      onQueued: () => {
        this.context.dispatcher.progress(origin, { operationId, stage: 'queued' });
        this.noteQueued(true);
        this.admission.wait();
      },
    };
  }

  private noteQueued(isQueued: boolean): void {
    this.stages.isQueued = isQueued;
    // While an event is handled the stage follows it anyway, and nothing is told before the journal has it.
    if (!this.mailbox.isBusy) this.announce();
  }

  protected report(): void {
    const progress: Progress | undefined = this.outbox.isWithheld
      ? { operationId: this.record.operationId, stage: 'unwritten' }
      : progressOf(this.record, this.context.clock.now());
    if (progress !== undefined) this.context.dispatcher.progress(this.record.origin, progress);
  }

  /** A rejected promise must not end the process. Its operation stays open, and is probed again. */
  protected noteError(error: unknown): void {
    this.context.log('error', `${this.record.operationId}: ${String(error)}`);
  }

  /** Waits until nothing is under way: a later write would overwrite what the next engine has written. */
  private async rest(): Promise<void> {
    while (this.posting !== undefined || this.mailbox.isBusy) {
      await this.posting;
      await this.mailbox.idle();
    }
  }

  private async handle(envelope: Incoming<M>): Promise<void> {
    const { phase } = this.record.state;
    try {
      try {
        await this.applyAndExecute(envelope);
      } finally {
        if (this.record.state.phase !== phase) this.report();
        this.announce();
        this.context.onChange(this);
      }
    } catch (error) {
      this.noteError(error);
      envelope.onPersisted?.(false);
    }
  }

  private async applyAndExecute(envelope: Incoming<M>): Promise<void> {
    if (envelope.error !== undefined) this.outbox.mistake = envelope.error;
    this.outbox.noteIfPartlyTold();
    const now = this.context.clock.now();
    const isTick = (envelope.event as CommonEvent).type === 'tick';
    this.looks.note(isTick, now, this.jumped());
    if (envelope.error !== undefined && (envelope.event as CommonEvent).type === 'answer-lost')
      this.record = this.lost.noted(this.record, envelope.error, now);
    const effects = this.apply(envelope, now);
    if (isTick) this.looks.noteOutcome(effects.length > 0);
    if (effects.includes('deliver')) this.outbox.withdraw();
    for (const effect of effects) {
      if (effect === 'save') await this.writer.save(this.record);
      else if (effect === 'deliver') this.outbox.deliverIfPersisted();
      else this.execute(effect, envelope);
    }
    if (envelope.onPersisted !== undefined) {
      envelope.onPersisted(effects.includes('save') ? !this.unpersisted : await this.writer.save(this.record));
    }
    this.outbox.deliverWithheld();
    this.outbox.reportUnavailable();
  }

  /** What a request that failed means. */
  protected failureOf(error: PaymentError): FailureEvent {
    return failureEvent(error);
  }

  private failed(error: unknown): Envelope<FailureEvent> {
    if (error instanceof PaymentError) return { event: this.failureOf(error), error };
    throw error;
  }

  /** A question got no answer. It is asked again. */
  protected readonly noteLost = (error: PaymentError): void => {
    if (!this.detached) this.record = this.lost.notedQuestion(this.record, error, this.context.clock.now());
  };

  private dropPost(code: string, message: string): void {
    this.enqueue({ event: { type: 'not-sent', error: { code, name: 'JournalError', message } } });
  }

  private tick(): void {
    this.enqueue({ event: { type: 'tick' }, ...(this.unpersisted ? SAVE : {}) });
    this.report();
  }
}
