import { readTransactionResult, type TransactionResult } from '../api/schema/transaction-result.js';
import type { PaymentError } from '../base/errors.js';
import { REDACTED, redact } from '../base/redact.js';
import type { ResultPayload } from '../delivery/payload.js';
import { payloadOf } from '../delivery/terminal-payload.js';
import type { TerminalRecord } from '../journal/record.js';
import { type Effect, type LifecycleEvent, step } from '../lifecycle/terminal/lifecycle.js';
import { dueAt, nextTurningPoint, PROBES, type Probe, type ProbeHistory } from '../lifecycle/terminal/schedule.js';
import { extended } from '../lifecycle/terminal/timeline.js';
import type { PendingDelivery } from '../operation/delivery-state.js';
import { exitOf } from '../operation/verdict.js';
import { lateVerdict } from './late-result.js';
import { type Envelope, Runner, type RunnerContext } from './runner.js';
import { sendAttempt } from './terminal-attempt.js';
import { type Evidence, Probes } from './terminal-probes.js';

interface TerminalMail extends Envelope<LifecycleEvent>, Evidence {
  event: LifecycleEvent;
  error?: PaymentError;
}

const HOLDING: ReadonlySet<string> = new Set(['queued', 'sending', 'pausing', 'waiting']);

type OwnEffect = Exclude<Effect, 'save' | 'deliver'>;

/** Runs one operation on a terminal: sends it once, and asks three witnesses for the truth. */
export class TerminalRunner extends Runner<TerminalRecord, TerminalMail, OwnEffect> {
  private readonly probes: Probes;
  private readonly underWay = new Set<Probe>();
  private history: ProbeHistory = {};
  private results: { terminal?: TransactionResult; gateway?: TransactionResult } = {};

  constructor(record: TerminalRecord, shop: RunnerContext) {
    super(record, shop);
    this.probes = new Probes(shop.client, shop.clock);
  }

  override get holdsTurn(): boolean {
    return HOLDING.has(this.record.state.phase);
  }

  override begin(): void {
    this.report();
    this.post();
  }

  protected override apply(mail: TerminalMail, now: number): readonly Effect[] {
    const { state: before, timeline } = this.record;
    const { state, effects, transition } = step(before, mail.event, now);
    this.keep(mail);
    this.record = {
      ...this.record,
      state,
      updatedAt: now,
      resultId: state.resultId,
      transactionId: state.transactionId,
      timeline: extended(timeline, now, before, mail.event, transition),
      closed: state.phase === 'closed' && state.pending === undefined,
    };
    if (state.phase !== before.phase) this.history = {};
    return effects;
  }

  protected override execute(effect: OwnEffect, mail: TerminalMail): void {
    switch (effect) {
      case 'new-attempt':
        this.record = { ...this.record, references: [...this.record.references, this.context.newId()] };
        return;
      case 'post':
        this.postIfPersisted();
        return;
      case 'late':
        this.deliverLate(mail);
    }
  }

  protected override payloadOf({ verdict, source }: PendingDelivery, again: boolean): ResultPayload {
    const result = source === 'status' ? this.results.gateway : (this.results.terminal ?? this.results.gateway);
    return payloadOf(this.record, verdict, again ? 'journal' : source, result ?? this.recorded());
  }

  protected override nextDeadlines(now: number): number[] {
    const { state } = this.record;
    const moments: number[] = [];
    for (const ask of PROBES) {
      // Nothing that moves money leaves before the journal knows of it.
      if (ask === 'reverse' && this.unpersisted) continue;
      const due = this.underWay.has(ask) ? undefined : dueAt(ask, state, this.history, this.context.load());
      if (due === undefined) continue;
      if (due <= now) this.probe(ask, now);
      else moments.push(due);
    }
    const turningPoint = nextTurningPoint(state, this.appliedAt);
    return turningPoint === undefined ? moments : [...moments, turningPoint];
  }

  override checkNow(): void {
    const { poll: _poll, status: _status, ping: _ping, ...kept } = this.history;
    this.history = kept;
    this.schedule();
  }

  /** Keeps what the verdict will rest on: in memory as it came, in the record redacted. */
  private keep({ event, result, error }: TerminalMail): void {
    if (error !== undefined) this.mistake = error;
    if (result === undefined) return;
    if (event.type === 'terminal') this.results.terminal = result;
    else this.results.gateway = result;
    if (event.type === 'terminal' || this.results.terminal === undefined) {
      this.record = { ...this.record, result: redact(result.raw) as Record<string, unknown> };
    }
  }

  protected override post(): void {
    const { client, callback } = this.context;
    this.posting = sendAttempt(client, this.record, callback, this.sending())
      .catch((error): { event: LifecycleEvent } => {
        this.noteError(error);
        return { event: { type: 'answer-lost' } };
      })
      .then((answer) => {
        this.posting = undefined;
        this.enqueue(answer);
      });
  }

  /** The result of an earlier life of this operation, without what the journal must not keep. */
  private recorded(): TransactionResult | undefined {
    const { result } = this.record;
    if (result === undefined) return undefined;
    return readTransactionResult(Object.fromEntries(Object.entries(result).filter(([, value]) => value !== REDACTED)));
  }

  /** A result after the end changes nothing; one that contradicts what the flow was told is an alarm. */
  private deliverLate({ event, result }: TerminalMail): void {
    const verdict = event.type === 'terminal' ? lateVerdict(this.record, event.meaning, event.via) : undefined;
    if (verdict === undefined || event.type !== 'terminal') return;
    if (verdict.error !== undefined) this.noteError(verdict.error.message);
    const { via: source } = event;
    const payload = this.safePayload({ verdict, source }, () => payloadOf(this.record, verdict, source, result));
    this.context.dispatcher.deliverLate({ exit: exitOf(payload), origin: this.record.origin, payload });
  }

  private probe(ask: Probe, now: number): void {
    this.underWay.add(ask);
    this.history = { ...this.history, [ask]: { tries: (this.history[ask]?.tries ?? 0) + 1, at: now } };
    const attempt = this.record.references.length;
    void this.probes
      .ask(ask, this.record, this.abort.signal)
      .catch((error) => {
        this.noteError(error);
        return undefined;
      })
      .then((finding) => this.answered(ask, attempt, finding));
  }

  private answered(ask: Probe, attempt: number, finding: Evidence | undefined): void {
    this.underWay.delete(ask);
    if (this.detached) return;
    // An answer about an earlier attempt says nothing about this one.
    if (finding !== undefined && attempt === this.record.references.length) this.enqueue(finding);
    else if (this.working === undefined) this.schedule();
  }
}
