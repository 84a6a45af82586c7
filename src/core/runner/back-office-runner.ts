import type { TransactionResult } from '../api/schema/transaction-result.js';
import { PaymentError } from '../base/errors.js';
import { present } from '../base/objects.js';
import { redact } from '../base/redact.js';
import { STATUS_LAG } from '../base/timings.js';
import { backOfficePayload } from '../delivery/back-office-payload.js';
import type { ResultPayload } from '../delivery/payload.js';
import type { BackOfficeRecord, OperationRecord } from '../journal/record.js';
import { entryMismatch } from '../lifecycle/back-office/amounts.js';
import { type Baseline, baselineOf, idsIn, type Proof, proofIn } from '../lifecycle/back-office/chain-evidence.js';
import {
  advance,
  type BackOfficeEffect,
  canReconcile,
  provenFrom,
  reconcilesUntil,
} from '../lifecycle/back-office/lifecycle.js';
import type { Reply } from '../lifecycle/back-office/reply.js';
import { RULES } from '../lifecycle/back-office/rules.js';
import type { BackOfficeEvent, BackOfficePhase } from '../lifecycle/back-office/state.js';
import { hasOwnReference, isBatchClose, originalOf } from '../operation/back-office-order.js';
import type { PendingDelivery } from '../operation/delivery-state.js';
import type { CommonEvent } from '../operation/event.js';
import { sleep } from '../platform/sleep.js';
import { answered, ask, eventOf } from './back-office-send.js';
import { askSummary, isClosed, newestBatch } from './batch-evidence.js';
import { type Envelope, Runner } from './runner.js';

interface BackOfficeMail extends Envelope<BackOfficeEvent> {
  reply?: Reply;
  entry?: TransactionResult;
  error?: PaymentError;
}

/** What proves it, and where that is not the chain, the answer that says it. */
type AnyEvidence = Proof & { reply?: Reply };

type OwnEffect = Exclude<BackOfficeEffect, 'save' | 'deliver'>;

const MAX_TIMELINE = 100;
const LOOK_PAUSE = 5000;
const BASELINE_PAUSE = 2000;
const BASELINE_WAIT = 15_000;
const GLANCE = 3000;
const LONGEST_LOOK_PAUSE = 15 * 60_000;
const HOLDING: ReadonlySet<BackOfficePhase> = new Set(['preparing', 'sending', 'retrying', 'reconciling']);

/** What waits for its turn has changed nothing. */
const WAITING: ReadonlySet<OperationRecord['state']['phase']> = new Set<OperationRecord['state']['phase']>([
  'queued',
  'preparing',
]);

/** Runs one operation that needs no terminal. */
export class BackOfficeRunner extends Runner<BackOfficeRecord, BackOfficeMail, OwnEffect> {
  private reply: Reply | undefined;
  private entry: TransactionResult | undefined;
  private reconciling = false;
  private looks = 0;
  private lookedAt = 0;

  override get holdsTurn(): boolean {
    return HOLDING.has(this.record.state.phase);
  }

  override begin(): void {
    this.enqueue({ event: { type: 'turn' } });
  }

  protected override apply(mail: BackOfficeMail | Envelope<CommonEvent>, now: number): readonly BackOfficeEffect[] {
    const { timeline, state: before } = this.record;
    const { state, effects, line } = advance(before, mail.event, now);
    this.keep(mail);
    this.record = {
      ...this.record,
      state,
      updatedAt: now,
      timeline: line === undefined ? timeline : [...timeline, { at: now, event: line }].slice(-MAX_TIMELINE),
      closed: state.phase === 'closed' && state.pending === undefined,
    };
    if (state.phase !== before.phase) this.looks = 0;
    return effects;
  }

  protected override execute(effect: OwnEffect): void {
    if (effect === 'prepare') this.prepare();
    else if (effect === 'post') this.postIfPersisted();
    else if (hasOwnReference(this.record.request)) {
      this.record = { ...this.record, references: [...this.record.references, this.context.newId()] };
    }
  }

  protected override payloadOf({ verdict, source }: PendingDelivery, again: boolean): ResultPayload {
    return backOfficePayload(this.record, verdict, again ? 'journal' : source, this.reply, this.entry);
  }

  protected override nextDeadlines(now: number): number[] {
    const { state } = this.record;
    switch (state.phase) {
      case 'retrying':
        return [state.nextAt ?? now];
      case 'reconciling':
        return [...this.nextLook(now), reconcilesUntil(state)].filter((at) => at > now);
      case 'watching':
        return [...this.nextLook(now), state.watchUntil ?? now];
      default:
        return [];
    }
  }

  override checkNow(): void {
    this.lookedAt = 0;
    this.looks = 0;
    this.schedule();
  }

  private keep(mail: BackOfficeMail | Envelope<CommonEvent>): void {
    if ('error' in mail && mail.error !== undefined) this.mistake = mail.error;
    if ('reply' in mail && mail.reply !== undefined) {
      this.reply = mail.reply;
      this.note(mail.reply.raw, mail.reply.transactionId);
    }
    if ('entry' in mail && mail.entry !== undefined) {
      this.entry = mail.entry;
      const { transactionID } = mail.entry;
      // What proves a changed hold or a tip is the original itself, whose id is not this operation's.
      this.note(mail.entry.raw, transactionID === originalOf(this.record.request) ? undefined : transactionID);
    }
  }

  private note(raw: Record<string, unknown>, transactionId: string | undefined): void {
    const result = redact(raw) as Record<string, unknown>;
    this.record = { ...this.record, ...present('transactionId', transactionId), result };
  }

  /** Notes what is there before it is sent: that proves nothing later. */
  private prepare(): void {
    const baseline = this.baseline().catch((error) => {
      this.noteError(error);
      return undefined;
    });
    void baseline.then((before) => {
      if (!this.detached)
        this.enqueue({ event: { type: 'ready', ...(before === undefined ? {} : { baseline: before }) } });
    });
  }

  private async baseline(): Promise<Baseline | undefined> {
    const { state, request } = this.record;
    const { baseline } = RULES[state.operation];
    if (baseline === 'batch') return this.batchBaseline();
    if (baseline === undefined || !state.traceable || hasOwnReference(request)) return undefined;
    return baseline === 'settled' ? this.settledChain() : this.chainAtOnce();
  }

  /** The batch that is to be closed, where its number is known. @throws JournalError */
  private async batchBaseline(): Promise<Baseline | undefined> {
    const { journal, clock } = this.context;
    const { request, environment } = this.record;
    const at = clock.now();
    if (!isBatchClose(request)) return undefined;
    if (request.body.batchNumber !== undefined) return { at, ids: [], batch: request.body.batchNumber };
    const batch = await newestBatch(journal, environment);
    if (batch === undefined) return undefined;
    const summary = await this.within(BASELINE_WAIT, this.summary(batch));
    return summary === undefined || isClosed(summary) ? undefined : { at, ids: [], batch };
  }

  /** The chain as it is, where it can be had without making the operation wait. */
  private async chainAtOnce(): Promise<Baseline | undefined> {
    const at = this.context.clock.now();
    const chain = await this.within(GLANCE, this.chain());
    return chain && { at, ids: idsIn(chain) };
  }

  /** An answer, unless it takes longer than `ms`. */
  private async within<T>(ms: number, answer: Promise<T | undefined>): Promise<T | undefined> {
    const waiting = new AbortController();
    try {
      return await Promise.race([answer, sleep(this.context.clock, ms, waiting.signal).then(() => undefined)]);
    } finally {
      waiting.abort();
    }
  }

  /** The chain as it certainly was before this operation; undefined where it cannot be had in time. */
  private async settledChain(): Promise<Baseline | undefined> {
    const { clock } = this.context;
    const giveUpAt = clock.now() + BASELINE_WAIT;
    const lag = (await this.lastChange()) + STATUS_LAG - clock.now();
    if (lag > 0) await sleep(clock, Math.min(lag, STATUS_LAG), this.abort.signal);
    while (!this.abort.signal.aborted) {
      const askedAt = clock.now();
      const chain = await this.chain();
      const before = chain && baselineOf(chain, this.record.request, askedAt);
      if (before !== undefined || clock.now() >= giveUpAt) return before;
      await sleep(clock, BASELINE_PAUSE, this.abort.signal);
    }
    return undefined;
  }

  /** When another operation of this journal may have changed the original last, epoch ms. @throws JournalError */
  private async lastChange(): Promise<number> {
    const { operationId, request } = this.record;
    const original = originalOf(request);
    if (original === undefined) return 0;
    const others = await this.context.journal.find({ original });
    const atWork = others.filter((one) => one.operationId !== operationId && !WAITING.has(one.state.phase));
    return Math.max(0, ...atWork.map(({ updatedAt }) => updatedAt));
  }

  protected override post(): void {
    const { request, references } = this.record;
    const reference = hasOwnReference(request) ? references.at(-1) : undefined;
    this.posting = ask(this.context.client, request, reference, this.sending())
      .then(
        (reply): BackOfficeMail => ({ event: answered(request, reply), reply }),
        (error): BackOfficeMail => this.failed(error),
      )
      .then((mail) => {
        this.posting = undefined;
        this.enqueue(mail);
      });
  }

  private failed(error: unknown): BackOfficeMail {
    if (!(error instanceof PaymentError)) {
      this.noteError(error);
      return { event: { type: 'answer-lost' } };
    }
    return { event: eventOf(error), error };
  }

  private nextLook(now: number): number[] {
    const { state } = this.record;
    if (!canReconcile(state) || this.reconciling) return [];
    const pause = state.phase === 'reconciling' ? LOOK_PAUSE : Math.min(30_000 * 2 ** this.looks, LONGEST_LOOK_PAUSE);
    // At the moment from which absence proves something, the answer is worth having at once.
    const proven = provenFrom(state);
    const due = this.lookedAt < proven ? Math.min(this.lookedAt + pause, proven) : this.lookedAt + pause;
    if (due > now) return [due];
    this.look(now);
    return [];
  }

  private look(askedAt: number): void {
    this.reconciling = true;
    this.lookedAt = askedAt;
    this.looks++;
    void this.evidence().then((proof) => {
      this.reconciling = false;
      if (this.detached) return;
      if (proof === undefined) {
        if (this.working === undefined) this.schedule();
        return;
      }
      const { says, by: entry, reply } = { by: undefined, ...proof };
      const { request } = this.record;
      const difference = entry && originalOf(request) === undefined ? entryMismatch(request, entry) : undefined;
      this.enqueue({
        event: { type: 'proof', says, askedAt, kind: entry?.type, ...present('difference', difference) },
        ...present('entry', entry),
        ...present('reply', reply),
      });
    });
  }

  private async evidence(): Promise<AnyEvidence | undefined> {
    const { batch } = this.record.state.baseline ?? {};
    if (batch === undefined) return this.proof();
    const reply = await this.summary(batch);
    if (reply === undefined) return undefined;
    return isClosed(reply) ? { says: 'done', reply } : { says: 'absent' };
  }

  /** The summary of a batch; undefined where it cannot be had at present. */
  private async summary(batch: string): Promise<Reply | undefined> {
    const { terminal } = this.record;
    try {
      return terminal && (await askSummary(this.context.client, terminal, batch, { signal: this.abort.signal }));
    } catch (error) {
      if (!(error instanceof PaymentError)) this.noteError(error);
      return undefined;
    }
  }

  /** What the chain says; undefined where it cannot be had at present. */
  private async proof(): Promise<Proof | undefined> {
    const { request, state } = this.record;
    const chain = await this.chain();
    if (chain === undefined) return undefined;
    const { baseline } = state;
    try {
      // What is held tells how much came to it, and not by whom.
      const isShared = baseline?.hold !== undefined && (await this.lastChange()) >= baseline.at;
      if (isShared) return { says: 'unclear' };
      return proofIn(chain, request, baseline, await this.madeByOthers(chain));
    } catch (error) {
      this.noteError(error);
      return undefined;
    }
  }

  /** Entries below the original that another operation of this journal has made. @throws JournalError */
  private async madeByOthers(chain: readonly TransactionResult[]): Promise<Set<TransactionResult>> {
    const { operationId, request } = this.record;
    const others = new Set<TransactionResult>();
    for (const entry of chain) {
      const { transactionID: transactionId = '' } = entry;
      if (transactionId === '' || transactionId === originalOf(request)) continue;
      const records = await this.context.journal.find({ transactionId });
      if (records.some((record) => record.operationId !== operationId)) others.add(entry);
    }
    return others;
  }

  /** The whole chain; undefined where it cannot be had at present. */
  private async chain(): Promise<TransactionResult[] | undefined> {
    const { request, references } = this.record;
    const reference = hasOwnReference(request) ? references.at(-1) : request.originalReference;
    try {
      return await this.context.client.status.all(reference ?? '', { signal: this.abort.signal });
    } catch (error) {
      if (!(error instanceof PaymentError)) this.noteError(error);
      return undefined;
    }
  }
}
