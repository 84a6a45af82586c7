import type { Client } from './api/client.js';
import { readTransactionResult, type TransactionResult } from './api/transaction-result.js';
import { ASKS, type Ask, type Asked, dueAt, nextTurningPoint, type Pace } from './asks.js';
import { type CallbackSettings, sendAttempt } from './attempt.js';
import type { Desk } from './desk.js';
import type { PaymentError } from './errors.js';
import { type Finding, Inquiry } from './inquiry.js';
import type { Journal } from './journal/journal.js';
import { lateVerdict } from './late.js';
import { type Effect, type Owed, step } from './lifecycle.js';
import type { OperationRecord, Progress, Telling } from './operation.js';
import { pause } from './pause.js';
import { progressOf } from './progress.js';
import { redact } from './redact.js';
import { payloadOf } from './report.js';
import type { Clock, NewId, Timer } from './seams.js';
import { extended } from './timeline.js';
import { exitOf } from './verdict.js';

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

interface Mail extends Finding {
  error?: PaymentError;
  /** Told whether the journal has what this mail taught; its presence makes the runner save whatever it taught. */
  saved?: (ok: boolean) => void;
}

const SAVE_AGAIN = 5000;
/** Node-RED gives a node 15 s to close. */
const LAST_ANSWER_WAIT = 10_000;
const HOLDING: ReadonlySet<string> = new Set(['queued', 'sending', 'pausing', 'waiting']);

/**
 * Runs one operation: feeds events to the lifecycle one after the other, carries out what it answers, asks what is due
 * and keeps one timer. Owns everything of the operation that is not durable.
 */
export class Runner {
  private readonly inbox: Mail[] = [];
  private readonly inquiry: Inquiry;
  private readonly underWay = new Set<Ask>();
  /** Ends every question, and in the end a request that is on its way. */
  private readonly abort = new AbortController();
  /** Takes a request back that still waits for the rate limit. */
  private readonly withdrawal = new AbortController();
  private asked: Asked = {};
  private timer: Timer | undefined;
  private working: Promise<void> | undefined;
  private posting: Promise<void> | undefined;
  private unsaved = false;
  private detached = false;
  /** The flow has heard of this operation in the life of this process. */
  private heard = false;
  private results: { terminal?: TransactionResult; gateway?: TransactionResult } = {};
  private mistake: PaymentError | undefined;

  constructor(
    public record: OperationRecord,
    private readonly shop: Workshop,
  ) {
    this.inquiry = new Inquiry(shop.client, shop.clock);
  }

  /** True while the terminal must take nothing else from this engine. */
  get holdsTerminal(): boolean {
    return HOLDING.has(this.record.state.phase);
  }

  /** True when nothing is owed, nothing is watched, and the journal knows it. */
  get isOver(): boolean {
    return this.record.closed && !this.unsaved;
  }

  /** Sends the request of a record that has just become durable. */
  send(): void {
    this.report();
    this.post();
  }

  /** Takes up what an earlier engine left. */
  restore(): void {
    const { owed } = this.record.state;
    if (owed !== undefined) this.tell(owed.unheard !== true);
    this.hear({ event: { type: 'restored' } });
  }

  hear(mail: Mail): void {
    this.inbox.push(mail);
    this.working ??= this.work();
  }

  /** Hears a result and resolves once the journal has it; false when it could not take it. */
  hearDurably(finding: Finding): Promise<boolean> {
    return new Promise((saved) => this.hear({ ...finding, saved }));
  }

  /** Asks for the operation to be stopped: the terminal decides whether it still can be. */
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
    await this.posting;
    await this.working;
    if (this.record.state.owed !== undefined) await this.hearDurably({ event: { type: 'stopping' } });
  }

  private async lastAnswer(): Promise<void> {
    if (this.posting === undefined) return;
    const answered = new AbortController();
    const done = this.posting.then(() => answered.abort());
    await Promise.race([done, pause(this.shop.clock, LAST_ANSWER_WAIT, answered.signal)]);
  }

  private async work(): Promise<void> {
    for (let mail = this.inbox.shift(); mail !== undefined; mail = this.inbox.shift()) {
      try {
        await this.take(mail);
      } catch (error) {
        this.shop.log('error', `${this.record.operationId}: ${String(error)}`);
        mail.saved?.(false);
      }
    }
    this.working = undefined;
    this.schedule();
  }

  private async take(mail: Mail): Promise<void> {
    const { state: before, timeline } = this.record;
    const now = this.shop.clock.now();
    const { state, effects, row } = step(before, mail.event, now);
    this.keep(mail);
    this.record = {
      ...this.record,
      state,
      updatedAt: now,
      resultId: state.resultId,
      transactionId: state.transactionId,
      timeline: extended(timeline, now, before, mail.event, row),
      closed: state.phase === 'closed' && state.owed === undefined,
    };
    if (state.phase !== before.phase) this.asked = {};
    for (const effect of effects) await this.carryOut(effect, mail);
    if (mail.saved !== undefined) mail.saved(effects.includes('save') ? !this.unsaved : await this.save());
    if (state.phase !== before.phase) this.report();
    this.shop.moved(this);
  }

  /** Keeps what the verdict will rest on: in memory as it came, in the record redacted. */
  private keep({ event, result, error }: Mail): void {
    if (error !== undefined) this.mistake = error;
    if (result === undefined) return;
    if (event.type === 'terminal') this.results.terminal = result;
    else this.results.gateway = result;
    if (event.type === 'terminal' || this.results.terminal === undefined) {
      this.record = { ...this.record, result: redact(result.raw) as Record<string, unknown> };
    }
  }

  private async carryOut(effect: Effect, mail: Mail): Promise<void> {
    switch (effect) {
      case 'new-attempt':
        this.record = { ...this.record, references: [...this.record.references, this.shop.newId()] };
        return;
      case 'save':
        await this.save();
        return;
      case 'post':
        return this.postIfSaved();
      case 'tell':
        return this.tell(false);
      case 'late':
        return this.tellLate(mail);
    }
  }

  private async save(): Promise<boolean> {
    try {
      await this.shop.journal.advance(this.record);
      this.unsaved = false;
    } catch (error) {
      if (!this.unsaved) this.shop.log('error', `journal: ${String(error)}; will try again`);
      this.unsaved = true;
    }
    return !this.unsaved;
  }

  /** Nothing leaves before the journal has it: what it could not take counts as not sent. */
  private postIfSaved(): void {
    if (!this.unsaved) {
      this.post();
      return;
    }
    const message = 'the journal could not take the attempt';
    this.hear({ event: { type: 'not-sent', error: { code: 'JOURNAL_UNAVAILABLE', name: 'JournalError', message } } });
  }

  private post(): void {
    const { client, callback, desk } = this.shop;
    const { operationId, origin } = this.record;
    const options = {
      signal: this.abort.signal,
      withdraw: this.withdrawal.signal,
      onQueued: () => desk.progress(origin.node, { operationId, stage: 'queued' }),
    };
    this.posting = sendAttempt(client, this.record, callback, options)
      .catch((error) => {
        this.shop.log('error', `${operationId}: ${String(error)}`);
        return { event: { type: 'answer-lost' } } as const;
      })
      .then((answer) => {
        this.posting = undefined;
        this.hear(answer);
      });
  }

  /** @param again it may have been told already, before a crash */
  private tell(again: boolean): void {
    const { owed } = this.record.state;
    if (owed === undefined) return;
    this.shop.desk.tell(this.tellingOf(owed, again), () => {
      this.heard = true;
      // Before anything else that waits: what comes later is a correction of this.
      this.inbox.unshift({ event: { type: 'told', telling: owed.telling }, saved: () => undefined });
      this.working ??= this.work();
    });
  }

  private tellingOf({ verdict, source, correction, mistake }: Owed, again: boolean): Telling {
    const result = source === 'status' ? this.results.gateway : (this.results.terminal ?? this.results.gateway);
    const payload = payloadOf(this.record, verdict, again ? 'journal' : source, result ?? this.recorded());
    if (correction || this.heard) payload.correction = true;
    if (again) payload.redelivered = true;
    return {
      exit: mistake ? 'mistake' : exitOf(verdict),
      origin: this.record.origin,
      payload,
      ...(mistake && this.mistake !== undefined ? { error: this.mistake } : {}),
    };
  }

  /** The redacted result of an earlier life of this operation. */
  private recorded(): TransactionResult | undefined {
    return this.record.result === undefined ? undefined : readTransactionResult(this.record.result);
  }

  /** A result after the end changes nothing; one that contradicts what the flow was told is an alarm. */
  private tellLate({ event, result }: Mail): void {
    const verdict = event.type === 'terminal' ? lateVerdict(this.record, event.meaning) : undefined;
    if (verdict === undefined || event.type !== 'terminal') return;
    if (verdict.error !== undefined) this.shop.log('error', `${this.record.operationId}: ${verdict.error.message}`);
    const payload = payloadOf(this.record, verdict, event.via, result);
    this.shop.desk.tellLate({ exit: exitOf(verdict), origin: this.record.origin, payload });
  }

  /** Asks what is due, and sets the one timer for what comes next. */
  private schedule(): void {
    this.timer?.cancel();
    this.timer = undefined;
    if (this.detached || this.isOver) return;
    const now = this.shop.clock.now();
    const moments = this.unsaved ? [now + SAVE_AGAIN] : [];
    for (const ask of ASKS) {
      const due = this.underWay.has(ask) ? undefined : dueAt(ask, this.record.state, this.asked, this.shop.pace());
      if (due === undefined) continue;
      if (due <= now) this.ask(ask, now);
      else moments.push(due);
    }
    const turningPoint = nextTurningPoint(this.record.state, now);
    if (turningPoint !== undefined) moments.push(turningPoint);
    if (moments.length > 0) this.timer = this.shop.clock.after(Math.min(...moments) - now, () => this.tick());
  }

  private tick(): void {
    this.timer = undefined;
    this.hear({ event: { type: 'tick' }, ...(this.unsaved ? { saved: () => undefined } : {}) });
    this.report();
  }

  private ask(ask: Ask, now: number): void {
    this.underWay.add(ask);
    this.asked = { ...this.asked, [ask]: { tries: (this.asked[ask]?.tries ?? 0) + 1, at: now } };
    const attempt = this.record.references.length;
    void this.inquiry
      .ask(ask, this.record, this.abort.signal)
      .catch((error) => {
        this.shop.log('error', `${this.record.operationId}: ${String(error)}`);
        return undefined;
      })
      .then((finding) => this.answered(ask, attempt, finding));
  }

  private answered(ask: Ask, attempt: number, finding: Finding | undefined): void {
    this.underWay.delete(ask);
    if (this.detached) return;
    // An answer about an earlier attempt says nothing about this one.
    if (finding !== undefined && attempt === this.record.references.length) this.hear(finding);
    else if (this.working === undefined) this.schedule();
  }

  private report(): void {
    const progress: Progress | undefined = progressOf(this.record, this.shop.clock.now());
    if (progress !== undefined) this.shop.desk.progress(this.record.origin.node, progress);
  }
}
