import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { Abort } from '../../base/abort.js';
import { PaymentError } from '../../base/errors.js';
import { changed } from '../../base/objects.js';
import type { Receipts, ResultPayload } from '../../delivery/payload.js';
import { receiptsIn, withReceipts } from '../../delivery/result-payload.js';
import { payloadOf, recordedResult } from '../../delivery/terminal-payload.js';
import { persistedResult } from '../../journal/persisted.js';
import type { TerminalRecord } from '../../journal/record.js';
import { turned, turnsTo, withEnded } from '../../lifecycle/terminal/earlier-attempts.js';
import { looksLater } from '../../lifecycle/terminal/later-look.js';
import { addsNothing } from '../../lifecycle/terminal/learn.js';
import { isApproval } from '../../lifecycle/terminal/learn-earlier.js';
import {
  type Effect,
  isStale,
  type LifecycleEvent,
  needsStop,
  stepTerminal,
} from '../../lifecycle/terminal/lifecycle.js';
import { dueAt, nextTurningPoint, PROBES, type Probe, type ProbeHistory } from '../../lifecycle/terminal/schedule.js';
import { learned } from '../../lifecycle/terminal/timeline.js';
import { wasToBeToldBy } from '../../lifecycle/terminal/unanswered.js';
import { appended } from '../../lifecycle/timeline.js';
import { attemptReference, withLast } from '../../operation/attempt-reference.js';
import type { PendingDelivery } from '../../operation/delivery-state.js';
import type { Resumed } from '../../operation/event.js';
import type { FailureEvent } from '../../operation/refusal.js';
import type { Source } from '../../operation/verdict.js';
import type { Envelope } from '../mailbox.js';
import { Runner, SAVE } from '../runner.js';
import type { RunnerContext } from '../runner-context.js';
import { lateVerdict, staysAsTold, withAlarm, withLate } from './late-result.js';
import type { Evidence } from './result-evidence.js';
import { sendAttempt } from './terminal-attempt.js';
import { Probes } from './terminal-probes.js';

interface TerminalEnvelope extends Envelope<LifecycleEvent>, Evidence {
  event: LifecycleEvent;
}

const HOLDING: ReadonlySet<string> = new Set(['queued', 'sending', 'pausing', 'waiting']);

type OwnEffect = Exclude<Effect, 'save' | 'deliver'>;

/** Runs one operation on a terminal: sends it once, and learns its result from callback, poll and status service. */
export class TerminalRunner extends Runner<TerminalRecord, TerminalEnvelope, OwnEffect> {
  private readonly probes: Probes;
  private readonly underWay = new Set<Probe>();
  private unsent = new Abort();
  private history: ProbeHistory = {};
  /** The latest poll was answered, or none has ended yet. */
  private pollsAnswer = true;
  private results: { terminal?: TransactionResult; gateway?: TransactionResult } = {};

  /** @param receipts those that an earlier engine kept */
  constructor(
    record: TerminalRecord,
    context: RunnerContext,
    private readonly receipts?: Receipts,
  ) {
    super(record, context);
    this.probes = new Probes(context.client, context.clock, context.journal, this.noteLost);
  }

  override get holdsTurn(): boolean {
    const { phase, endedAt, perhapsSent, policies } = this.record.state;
    // Once the terminal is proved idle, only the status service is still asked; and no stop is sent where others use it.
    const isAskedAlone = endedAt !== undefined || (perhapsSent === true && !policies.exclusiveTerminal);
    return HOLDING.has(phase) && !(phase === 'waiting' && isAskedAlone);
  }

  override restore(resumed: Resumed, isRewritten: boolean): void {
    if (this.record.state.isAlarmDue) this.deliverAlarm(true);
    super.restore(resumed, isRewritten);
  }

  override begin(): void {
    this.report();
    this.postIfPersisted();
    this.announce();
  }

  override async detach(): Promise<void> {
    this.withdrawQuestions();
    await super.detach();
  }

  override checkNow(): void {
    const { poll: _poll, status: _status, ...kept } = this.history;
    this.history = kept;
    this.schedule();
  }

  protected override apply(envelope: TerminalEnvelope, now: number): readonly Effect[] {
    if (!this.turnTo(envelope)) return [];
    const { state: before, timeline, references: known } = this.record;
    const event = this.ofAttempt(envelope);
    const jumped = this.jumped();
    const timed = jumped === before.jumped ? before : changed(before, { jumped });
    const { state: after, effects, transition } = stepTerminal(timed, event, now);
    this.keep(event, envelope.result);
    const isTakenUp = after.takenUp !== before.takenUp;
    const latest = known.at(-1);
    // The last reference is the one that the flow is told.
    const decisive = after.phase === 'closed' ? after.approvedEarlier?.reference : undefined;
    // Where yet another one went back, nobody has said that the latest will not charge.
    const isLatestBack = after.reversing?.reason === 'second' && after.reversing.second === undefined;
    const isBack = decisive !== undefined && decisive !== latest && (isLatestBack || after.latestWentBack === true);
    const state = isTakenUp || isBack ? withEnded(after, latest) : after;
    const isBackup = before.unknownAttempts === undefined && state.unknownAttempts !== undefined;
    const references = isBackup ? [...this.nextReferences(state.unknownAttempts), ...known] : known;
    if (isTakenUp) this.results = {};
    const chosen = isTakenUp ? state.takenUp : decisive;
    this.record = changed(this.record, {
      references: chosen === undefined ? references : withLast(references, chosen),
      state,
      updatedAt: now,
      resultId: state.resultId,
      transactionId: state.transactionId,
      timeline: appended(timeline, now, [learned(before, event), transition]),
      closed: state.phase === 'closed' && state.pending === undefined && !state.isAlarmDue && !looksLater(state),
    });
    if (state.phase !== before.phase) this.history = {};
    if (state.phase === 'closed') this.withdrawQuestions();
    if (effects.includes('deliver') || this.unpersisted) this.keepWhatIsTold();
    return effects;
  }

  protected override execute(effect: OwnEffect, envelope: TerminalEnvelope): void {
    if (effect === 'new-attempt') {
      this.lookAfter({ references: [...this.record.references, ...this.nextReferences(1)] });
    } else if (effect === 'post') this.postIfPersisted();
    else if (effect === 'late') this.deliverLate(envelope);
    else this.deliverAlarm(false);
  }

  protected override post(): void {
    const attempt = {
      current: () => this.record,
      leave: () => this.admission.leave(),
      options: () => this.callOptions(),
      note: (error: unknown) => (error instanceof PaymentError ? this.noteLost(error) : this.noteError(error)),
    };
    this.follow(sendAttempt(attempt, this.context), (event) => ({ event }));
  }

  /** References of the attempts that follow, or that have followed already where the journal is a backup. */
  private nextReferences(count = 0): string[] {
    const { operationId, references } = this.record;
    return Array.from({ length: count }, (_, index) => attemptReference(operationId, references.length + 1 + index));
  }

  /** The service reports a wrong country of a remittance as a terminal that is offline. */
  protected override failureOf(error: PaymentError): FailureEvent {
    const event = super.failureOf(error);
    const mayBeCountry = this.record.request.moneyRemittanceOptions !== undefined;
    return event.type === 'refused' && event.error.code === '1002' && mayBeCountry
      ? { ...event, needsChange: true }
      : event;
  }

  protected override payloadOf(
    { verdict, source }: Pick<PendingDelivery, 'verdict' | 'source'>,
    again: boolean,
  ): ResultPayload {
    const told = again ? 'journal' : source;
    const result = this.resultFor(source);
    if (result !== undefined) return payloadOf(this.record, verdict, told, result);
    return withReceipts(payloadOf(this.record, verdict, told, recordedResult(this.record)), source, this.receipts);
  }

  /** The result that a verdict rests on, if this process received it. */
  private resultFor(source: Source): TransactionResult | undefined {
    const { terminal, gateway } = this.results;
    if (source === 'status') return gateway;
    // After a restart the terminal's own result is in the record alone.
    return terminal ?? (this.record.state.terminal === undefined ? gateway : undefined);
  }

  /**
   * Called before the journal gets the verdict, so that after a crash the flow gets the verdict with the amounts and the
   * receipts that it rests on, or all of them are found out anew.
   */
  private keepWhatIsTold(): void {
    const { operationId, state } = this.record;
    const result = state.pending && this.resultFor(state.pending.source);
    if (result === undefined) return;
    // The record has what the terminal said, where it said something; memory must not tell otherwise later.
    if (state.pending?.source === 'status') {
      this.results.terminal &&= result;
      this.record = changed(this.record, { result: persistedResult(result.raw) });
    }
    this.context.receipts?.keep(operationId, receiptsIn(result));
  }

  protected override isStale(now: number): boolean {
    return isStale({ ...this.record.state, jumped: this.jumped() }, now);
  }

  protected override isOverdue(now: number): boolean {
    const { state } = this.record;
    return state.reported === undefined && now > (wasToBeToldBy(state) ?? Number.POSITIVE_INFINITY);
  }

  protected override nextDeadlines(now: number): number[] {
    const { state } = this.record;
    const deadlines: number[] = [];
    for (const probe of PROBES) {
      // Nothing that moves money leaves before the journal has the record.
      if (probe === 'reverse' && this.unpersisted) continue;
      // A status query would compete with the poll for the key's rate limit, and the poll's answer decides whether it is
      // needed.
      if (probe === 'status' && this.underWay.has('poll') && this.pollsAnswer) continue;
      const due = this.underWay.has(probe) ? undefined : dueAt(probe, state, this.history, this.context.load());
      if (due === undefined) continue;
      if (due > now) deadlines.push(due);
      else if (probe !== 'stop' || !this.context.isBehind(this.record)) this.start(probe, now);
    }
    const turningPoint = nextTurningPoint(state, this.looks.lastAt);
    return turningPoint === undefined ? deadlines : [...deadlines, turningPoint];
  }

  /**
   * Of several attempts another one shows than was looked after so far.
   * @returns false where the gateway has refused it, while another one may have charged
   */
  private turnTo({ event, reference }: TerminalEnvelope): boolean {
    const { references, state } = this.record;
    const latest = references.at(-1);
    if (reference === undefined || latest === undefined || reference === latest) return true;
    if (!turnsTo(state, event)) return event.type !== 'gateway';
    this.lookAfter({ references: withLast(references, reference), state: turned(state, latest) });
    return true;
  }

  /** Another attempt: what the one before it was told is not about this one. */
  private lookAfter(attempt: Pick<Partial<TerminalRecord>, 'references' | 'state'>): void {
    this.results = {};
    this.record = changed(this.record, { ...attempt, result: undefined });
  }

  /** By the time an answer is handled a later attempt may have begun. */
  private ofAttempt({ event, reference }: TerminalEnvelope): LifecycleEvent {
    const isEarlier = reference !== undefined && reference !== this.record.references.at(-1);
    return event.type === 'terminal' && isEarlier ? { ...event, earlier: reference } : event;
  }

  /** Keeps the result that a verdict may rest on: in memory as it came, in the record redacted. */
  private keep(event: LifecycleEvent, result: TransactionResult | undefined): void {
    if ('takesBack' in event) this.record = { ...this.record, reverses: event.takesBack };
    if (result === undefined) return;
    const { state } = this.record;
    // Of several attempts the approved one counts, and it may be an earlier one.
    const isOther = event.type === 'terminal' && event.earlier !== undefined;
    const isAside = isOther && (!isApproval(event) || state.phase === 'closed');
    if (isAside || state.approvedEarlier !== undefined) return;
    if (addsNothing(state, event)) return;
    if (event.type === 'terminal' && staysAsTold(this.record, event, result)) return;
    this.results[event.type === 'terminal' ? 'terminal' : 'gateway'] = result;
    if (event.type === 'terminal' || (this.results.terminal === undefined && state.terminal === undefined)) {
      this.record = changed(this.record, { result: persistedResult(result.raw) });
    }
  }

  /** A result after the end changes nothing; one that contradicts what the flow got is an alarm. */
  private deliverLate(envelope: TerminalEnvelope): void {
    const { result } = envelope;
    const event = this.ofAttempt(envelope);
    if (event.type !== 'terminal') return;
    const verdict = lateVerdict(this.record, event, result);
    if (verdict === undefined) return;
    const { via: source } = event;
    // It came before, and comes again until the journal has it.
    if (verdict.error === undefined && this.unpersisted) return;
    if (verdict.error === undefined) {
      this.record = withLate(this.record, verdict, event);
    } else {
      this.noteError(verdict.error.message);
      this.record = withAlarm(this.record, verdict, event, this.outbox.isWithheld);
      // The flow gets the contradiction in the place of the withheld verdict.
      if (this.record.state.alarm !== verdict) return;
    }
    this.outbox.deliverLate(
      { verdict, source },
      () => payloadOf(this.record, verdict, source, result),
      verdict.error && (() => this.noteAlarmTold()),
    );
  }

  /** @param again an earlier engine may have delivered it already, before a crash */
  private deliverAlarm(again: boolean): void {
    const { alarm: verdict, isAlarmDue } = this.record.state;
    if (verdict === undefined || !isAlarmDue) return;
    this.noteError(verdict.error?.message);
    this.outbox.deliverLate(
      { verdict, source: 'recovery' },
      () => ({ ...this.payloadOf({ verdict, source: 'recovery' }, again), ...(again && { redelivered: true }) }),
      () => this.noteAlarmTold(),
    );
  }

  private noteAlarmTold(): void {
    this.enqueue({ event: { type: 'alarm-told' }, ...SAVE });
  }

  /** Nobody needs the answers; what waits stands in others' way, and a reversal may be none of this operation's any more. */
  private withdrawQuestions(): void {
    this.unsent.abort();
    this.unsent = new Abort();
  }

  private start(probe: Probe, now: number): void {
    this.underWay.add(probe);
    this.history = changed(this.history, { [probe]: { tries: (this.history[probe]?.tries ?? 0) + 1, at: now } });
    const latest = this.record.references.at(-1);
    const { signal } = this.abort;
    const note = (part: Evidence): void => this.enqueue(part);
    const asking = { signal, withdraw: this.unsent.signal, note, current: () => this.record.state };
    void this.probes
      .run(probe, this.record, asking)
      .catch((error) => {
        this.noteError(error);
        return undefined;
      })
      .then((evidence) => this.take(evidence, probe, latest));
  }

  private noteUnanswered(probe: Probe): void {
    const last = this.history[probe];
    if (last !== undefined) this.history = changed(this.history, { [probe]: { ...last, isLost: true } });
  }

  private take(evidence: Evidence | undefined, probe: Probe, latest: string | undefined): void {
    this.underWay.delete(probe);
    if (probe === 'poll') this.pollsAnswer = evidence !== undefined;
    if (evidence === undefined) this.noteUnanswered(probe);
    if (this.detached) return;
    // What was not found under another attempt says nothing about this one.
    const isCurrent = latest === this.record.references.at(-1) || evidence?.event.type === 'terminal';
    if (evidence !== undefined && isCurrent) this.enqueue(evidence);
    else this.scheduleIfIdle();
    if (probe === 'stop' && needsStop(this.record.state)) this.enqueue({ event: { type: 'stop-tried' } });
  }
}
