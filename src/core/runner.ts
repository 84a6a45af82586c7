import { sendAttempt, type CallbackSettings } from './attempt.js';
import { ASKS, type Ask, type Asked, dueAt, nextTurningPoint, type Pace } from './asks.js';
import type { Client } from './api/client.js';
import { readTransactionResult, type TransactionResult } from './api/transaction-result.js';
import type { Desk } from './desk.js';
import type { PaymentError } from './errors.js';
import { type Finding, Inquiry } from './inquiry.js';
import type { Journal } from './journal/journal.js';
import { type Effect, type Owed, step } from './lifecycle.js';
import { CARD_WINDOW, RECOVERY_LIMIT } from './limits.js';
import type { OperationRecord, Progress, Telling, Verdict } from './operation.js';
import { redact } from './redact.js';
import { payloadOf } from './report.js';
import type { Clock, NewId, Timer } from './seams.js';
import { exitOf, UNKNOWN } from './verdict.js';

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
  /** Called after every change of phase. */
  moved(runner: Runner): void;
}

interface Mail extends Finding {
  error?: PaymentError;
  /** Told whether the journal has what this mail taught; its presence makes the runner save whatever it taught. */
  saved?: (ok: boolean) => void;
}

const SAVE_AGAIN = 5000;
const HOLDING: ReadonlySet<string> = new Set(['queued', 'sending', 'pausing', 'waiting']);
const MAX_TIMELINE = 200;

/**
 * Runs one operation: feeds events to the lifecycle one after the other, carries out what it answers, asks what is due
 * and keeps one timer. Owns everything of the operation that is not durable.
 */
export class Runner {
  private readonly inbox: Mail[] = [];
  private readonly inquiry: Inquiry;
  private readonly underWay = new Set<Ask>();
  private readonly abort = new AbortController();
  private readonly withdrawal = new AbortController();
  private asked: Asked = {};
  private timer: Timer | undefined;
  private working: Promise<void> | undefined;
  private posting: Promise<void> | undefined;
  private unsaved = false;
  private detached = false;
  private results: { terminal?: TransactionResult; gateway?: TransactionResult } = {};
  private mistake: PaymentError | undefined;

  constructor(
    public record: OperationRecord,
    private readonly shop: Workshop,
    private readonly redelivered = false,
  ) {
    this.inquiry = new Inquiry(shop.client, shop.clock);
  }

  /** True while the terminal must take nothing else from this engine. */
  get holdsTerminal(): boolean {
    return HOLDING.has(this.record.state.phase);
  }

  /** Sends the request of a record that has just become durable. */
  send(): void {
    this.report();
    this.post();
  }

  hear(mail: Mail): void {
    this.inbox.push(mail);
    this.working ??= this.work();
  }

  /** Hears a result and resolves once the journal has it; false when it could not take it. */
  hearDurably(finding: Finding): Promise<boolean> {
    return new Promise((saved) => this.hear({ ...finding, saved }));
  }

  cancel(): void {
    this.withdrawal.abort();
    this.hear({ event: { type: 'cancel' } });
  }

  /** Lets a request on its way be answered and journaled, then leaves everything as it stands. */
  async detach(): Promise<void> {
    this.detached = true;
    this.timer?.cancel();
    this.abort.abort();
    await this.posting;
    await this.working;
  }

  private async work(): Promise<void> {
    for (let mail = this.inbox.shift(); mail !== undefined; mail = this.inbox.shift()) await this.take(mail);
    this.working = undefined;
    this.schedule();
  }

  private async take(mail: Mail): Promise<void> {
    const { state: before } = this.record;
    const now = this.shop.clock.now();
    const { state, effects, row } = step(before, mail.event, now);
    this.keep(mail);
    const lines = [learned(before, mail), row].filter((line) => line !== undefined);
    this.record = {
      ...this.record,
      state,
      updatedAt: now,
      resultId: state.resultId,
      transactionId: state.transactionId,
      timeline: [...this.record.timeline, ...lines.map((event) => ({ at: now, event }))].slice(-MAX_TIMELINE),
      closed: state.phase === 'closed' && state.owed === undefined,
    };
    if (state.phase !== before.phase) this.asked = {};
    for (const effect of effects) await this.carryOut(effect, mail);
    if (mail.saved !== undefined) mail.saved(effects.includes('save') ? !this.unsaved : await this.save());
    else if (mail.event.type === 'told') await this.save();
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
        return this.tell();
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
    if (!this.unsaved) return this.post();
    const error = { code: 'JOURNAL_UNAVAILABLE', name: 'JournalError', message: 'the journal could not take the attempt' };
    this.hear({ event: { type: 'not-sent', error } });
  }

  private post(): void {
    const { client, callback } = this.shop;
    const onQueued = (): void => this.progress('queued');
    this.posting = sendAttempt(client, this.record, callback, this.withdrawal.signal, onQueued).then((answer) => {
      this.posting = undefined;
      this.hear(answer);
    });
  }

  private tell(): void {
    const { owed } = this.record.state;
    if (owed === undefined) return;
    this.shop.desk.tell(this.tellingOf(owed), () => this.hear({ event: { type: 'told' } }));
  }

  private tellingOf({ verdict, source, correction, mistake }: Owed): Telling {
    const result = source === 'status' ? this.results.gateway : (this.results.terminal ?? this.results.gateway);
    const payload = payloadOf(this.record, verdict, this.redelivered ? 'journal' : source, result ?? this.recorded());
    if (correction) payload.correction = true;
    if (this.redelivered) payload.redelivered = true;
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

  /** A result after the end. It changes nothing; one that contradicts what the flow was told is an alarm. */
  private tellLate({ event, result }: Mail): void {
    const { told, reversing } = this.record.state;
    const approved = event.type === 'terminal' && (event.meaning === 'approved' || event.meaning === 'partial');
    const same = result?.transactionID !== undefined && told === 'approved' && approved;
    if (same) return;
    const contradicts = approved && reversing === undefined && told !== 'approved' && told !== 'partial';
    const verdict: Verdict = contradicts ? CONTRADICTED : { ...UNKNOWN, outcome: told ?? 'unknown' };
    if (contradicts) {
      this.shop.log('error', `${this.record.operationId}: told ${told}, and the terminal now says approved`);
    }
    const payload = payloadOf(this.record, verdict, 'callback', result);
    this.shop.desk.tellLate({ exit: exitOf(verdict), origin: this.record.origin, payload });
  }

  /** Asks what is due, and sets the one timer for what comes next. */
  private schedule(): void {
    this.timer?.cancel();
    this.timer = undefined;
    if (this.detached || this.record.closed) return;
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
    if (this.unsaved) this.hear({ event: { type: 'tick' }, saved: () => undefined });
    else this.hear({ event: { type: 'tick' } });
    this.report();
  }

  private ask(ask: Ask, now: number): void {
    this.underWay.add(ask);
    this.asked = { ...this.asked, [ask]: { tries: (this.asked[ask]?.tries ?? 0) + 1, at: now } };
    const attempt = this.record.references.length;
    void this.inquiry.ask(ask, this.record, this.abort.signal).then((finding) => {
      this.underWay.delete(ask);
      if (this.detached) return;
      // An answer about an earlier attempt says nothing about this one.
      if (finding !== undefined && attempt === this.record.references.length) this.hear(finding);
      else this.working ?? this.schedule();
    });
  }

  private report(): void {
    const stage = stageOf(this.record, this.shop.clock.now());
    if (stage === undefined) return;
    const end = this.record.state.attemptAt + RECOVERY_LIMIT;
    this.progress(stage, stage === 'checking' ? Math.max(0, Math.ceil((end - this.shop.clock.now()) / 1000)) : undefined);
  }

  private progress(stage: Progress['stage'], secondsLeft?: number): void {
    const { operationId, origin } = this.record;
    this.shop.desk.progress(origin.node, { operationId, stage, ...(secondsLeft === undefined ? {} : { secondsLeft }) });
  }
}

const CONTRADICTED: Verdict = {
  ...UNKNOWN,
  error: {
    code: 'CONTRADICTED',
    name: 'Contradicted',
    message: 'told that no money moved, and the terminal now says approved',
  },
};

function stageOf({ state, references }: OperationRecord, now: number): Progress['stage'] | undefined {
  switch (state.phase) {
    case 'queued':
    case 'pausing':
      return 'terminal-busy';
    case 'sending':
      return references.length > 1 ? 'terminal-busy' : 'sending';
    case 'waiting':
      if (state.stopWanted) return 'stopping';
      if (state.terminal?.meaning === 'partial') return 'partial';
      return state.terminal !== undefined || state.resultId === undefined || now >= state.attemptAt + CARD_WINDOW
        ? 'checking'
        : 'waiting';
    case 'reversing':
      return 'reversing';
    case 'watching':
    case 'closed':
      return undefined;
  }
}

/** A line for the timeline when an event taught something new. */
function learned(before: OperationRecord['state'], { event }: Mail): string | undefined {
  switch (event.type) {
    case 'terminal':
      return before.terminal?.meaning === event.meaning ? undefined : `terminal says ${event.meaning} (${event.via})`;
    case 'gateway':
      return before.gateway?.meaning === event.meaning ? undefined : `status service says ${event.meaning}`;
    case 'idle':
      return before.endedAt === undefined ? 'terminal runs nothing' : undefined;
    case 'cancel':
      return 'cancel asked for';
    case 'restored':
      return 'taken up again';
    default:
      return undefined;
  }
}

