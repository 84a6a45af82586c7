import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { UnclearApprovalError, UnreadableAnswerError } from '../../base/errors.js';
import { withoutAbsent } from '../../base/objects.js';
import { SECOND_LOOK, WATCH_GRACE } from '../../base/timings.js';
import { backOfficePayload } from '../../delivery/back-office-payload.js';
import type { ResultPayload } from '../../delivery/payload.js';
import { persistedResult } from '../../journal/persisted.js';
import type { BackOfficeRecord } from '../../journal/record.js';
import { tipRepeatsAt, tipRepeatsBy } from '../../lifecycle/back-office/early-tip.js';
import {
  type BackOfficeEffect,
  canReconcile,
  isStale,
  leavesBy,
  provenFrom,
  reconcilesUntil,
  stepBackOffice,
  watchEndsFrom,
} from '../../lifecycle/back-office/lifecycle.js';
import { whyForChain } from '../../lifecycle/back-office/other-amount.js';
import type { Reply } from '../../lifecycle/back-office/reply.js';
import { whyUnreadable } from '../../lifecycle/back-office/said-amounts.js';
import { withSaidTip } from '../../lifecycle/back-office/said-tip.js';
import type { BackOfficeEvent, BackOfficePhase } from '../../lifecycle/back-office/state.js';
import { appended } from '../../lifecycle/timeline.js';
import { attemptReference } from '../../operation/attempt-reference.js';
import { hasOwnReference, originalOf } from '../../operation/back-office-order.js';
import type { PendingDelivery } from '../../operation/delivery-state.js';
import { asLostAnswer } from '../answer-read.js';
import type { Envelope } from '../mailbox.js';
import { Runner } from '../runner.js';
import type { RunnerContext } from '../runner-context.js';
import { withdrawnAt } from '../withdrawn-at.js';
import { type BackOfficeEvidence, BackOfficeProbes } from './back-office-evidence.js';
import { answered, sendOrder } from './back-office-send.js';
import { checkOwn, namesReference } from './own-answer.js';

interface BackOfficeEnvelope extends Envelope<BackOfficeEvent> {
  reply?: Reply;
  entry?: TransactionResult;
  /** Of the attempt that it is about, where the journal does not know that attempt. */
  reference?: string;
}

type OwnEffect = Exclude<BackOfficeEffect, 'save' | 'deliver'>;

const RECONCILING_PAUSE = 5000;
/** What was answered shows as soon as the status service has caught up, so it is soon asked again. */
const FIRST_ANSWERED_PAUSE = 1000;
const FIRST_WATCHING_PAUSE = 30_000;
const LONGEST_WATCHING_PAUSE = 15 * 60_000;
const HOLDING: ReadonlySet<BackOfficePhase> = new Set(['preparing', 'sending', 'retrying', 'reconciling']);

/** Runs one operation that needs no terminal: its answer is the result, and when that is lost, probes look for it. */
export class BackOfficeRunner extends Runner<BackOfficeRecord, BackOfficeEnvelope, OwnEffect> {
  private readonly probes: BackOfficeProbes;
  private reply: Reply | undefined;
  private entry: TransactionResult | undefined;
  /** It approves, and the chain has to say how much. */
  private disputed: Reply | undefined;
  private probing = false;
  /** Probes since the phase began. */
  private tries = 0;
  /** Epoch ms. */
  private probedAt = 0;

  constructor(record: BackOfficeRecord, context: RunnerContext) {
    super(record, context);
    this.probes = new BackOfficeProbes(context.client, context.clock, context.journal, this.noteLost);
  }

  override get holdsTurn(): boolean {
    return HOLDING.has(this.record.state.phase);
  }

  override begin(): void {
    this.enqueue({ event: { type: 'turn' } });
  }

  override checkNow(): void {
    this.probedAt = 0;
    this.tries = 0;
    this.schedule();
  }

  protected override apply(mail: BackOfficeEnvelope, now: number): readonly BackOfficeEffect[] {
    const { timeline, state: before } = this.record;
    const { state, effects, transition } = stepBackOffice({ ...before, jumped: this.jumped() }, mail.event, now);
    this.keep(mail);
    this.record = {
      ...this.record,
      state,
      updatedAt: now,
      timeline: appended(timeline, now, [transition]),
      closed: state.phase === 'closed' && state.pending === undefined,
    };
    if (state.phase !== before.phase) this.tries = 0;
    return effects;
  }

  protected override execute(effect: OwnEffect): void {
    if (effect === 'prepare') this.prepare();
    else if (effect === 'post') this.postIfPersisted();
    else if (hasOwnReference(this.record.request)) {
      const { operationId, references } = this.record;
      const next = attemptReference(operationId, references.length + 1);
      this.record = { ...this.record, references: [...references, next] };
    }
  }

  protected override post(): void {
    const { request, references, state } = this.record;
    const reference = hasOwnReference(request) ? references.at(-1) : undefined;
    const { client, clock } = this.context;
    const calling = { ...this.callOptions(), onLeaving: () => this.admission.leave() };
    const sent = withdrawnAt(clock, leavesBy(state), calling, (options) =>
      sendOrder(client, request, reference, options),
    );
    const proved = sent.then((answer) => this.checked(answer, reference).catch(asLostAnswer));
    this.follow(proved, (reply) => ({ event: answered(this.record, reply), reply }));
  }

  /** An answer that is about what was asked for. @throws UnreadableAnswerError, InputError, JournalError */
  private async checked(answer: Reply, reference: string | undefined): Promise<Reply> {
    const { record } = this;
    const reply = withSaidTip(record, answer);
    await checkOwn(record, reply, this.context.journal, reference);
    const unreadable = whyUnreadable(record, reply);
    const why = unreadable ?? whyForChain(record, reply);
    if (why === undefined) return reply;
    if (unreadable === undefined) this.disputed = reply;
    throw namesReference(reply, reference)
      ? new UnclearApprovalError(200, `the response ${why}`, 'amount')
      : new UnreadableAnswerError(200, `the response ${why}`);
  }

  protected override payloadOf({ verdict, source }: PendingDelivery, again: boolean): ResultPayload {
    return backOfficePayload(this.record, verdict, again ? 'journal' : source, this.reply, this.entry);
  }

  protected override isStale(now: number): boolean {
    return isStale({ ...this.record.state, jumped: this.jumped() }, now);
  }

  protected override isOverdue(now: number): boolean {
    const { state } = this.record;
    return state.phase === 'reconciling' && now > reconcilesUntil(state);
  }

  protected override nextDeadlines(now: number): number[] {
    const { state } = this.record;
    switch (state.phase) {
      case 'retrying':
        return [state.nextAt ?? now];
      case 'reconciling':
        return [...this.nextProbe(now), tipRepeatsBy(state) ?? 0, reconcilesUntil(state)].filter(
          (at) => at > this.looks.lastAt,
        );
      case 'watching':
        return [...this.nextProbe(now), watchEndsFrom(state) + WATCH_GRACE].filter((at) => at > this.looks.lastAt);
      default:
        return [];
    }
  }

  /** Keeps the answer that a verdict may rest on: in memory as it came, in the record redacted. */
  private keep({ event, reply, entry, reference }: BackOfficeEnvelope): void {
    if (reference !== undefined) this.record = { ...this.record, references: [...this.record.references, reference] };
    if ('takesBack' in event) this.record = { ...this.record, reverses: event.takesBack };
    if (reply !== undefined) {
      this.reply = reply;
      const { amount, tip, surcharge, currency, hold } = reply;
      this.record = { ...this.record, said: withoutAbsent({ amount, tip, surcharge, currency, hold }) };
      this.recordResult(reply.raw, reply.transactionId);
    }
    if (entry !== undefined) {
      this.entry = entry;
      // An answer that did not approve is not about what the entry proves; nor is one that names another amount.
      const isOther = this.record.state.answeredAt === undefined || ('difference' in event && event.difference);
      if (isOther && reply === undefined) this.forgetReply();
      const { transactionID } = entry;
      // The proof of a changed hold or a tip is the original itself, whose id is not this operation's.
      this.recordResult(entry.raw, transactionID === originalOf(this.record.request) ? undefined : transactionID);
    }
  }

  private forgetReply(): void {
    this.reply = undefined;
    const { said: _, ...record } = this.record;
    this.record = record;
  }

  private recordResult(raw: Record<string, unknown>, transactionId: string | undefined): void {
    this.record = { ...this.record, ...withoutAbsent({ transactionId }), result: persistedResult(raw) };
  }

  /** The operation is sent once its baseline is known, or cannot be had. */
  private prepare(): void {
    void this.probes
      .baseline(this.record, this.abort.signal)
      .catch((error) => {
        this.noteError(error);
        return undefined;
      })
      .then((baseline) => {
        if (!this.detached) this.enqueue({ event: withoutAbsent({ type: 'ready', baseline }) });
      });
  }

  private nextProbe(now: number): number[] {
    const { state } = this.record;
    if (!canReconcile(state) || this.probing) return [];
    const pause = this.pauseBeforeProbe();
    // From these times on an answer proves something, so a probe follows at once.
    const { absentAt } = state;
    const tipRepeats = tipRepeatsAt(state);
    const milestones = [
      provenFrom(state),
      ...(tipRepeats === undefined ? [] : [tipRepeats]),
      ...(absentAt === undefined ? [] : [absentAt + SECOND_LOOK]),
      ...(state.phase === 'watching' ? [watchEndsFrom(state)] : []),
    ];
    const due = Math.min(this.probedAt + pause, ...milestones.filter((at) => this.probedAt < at));
    if (due > now) return [due];
    this.probe(now);
    return [];
  }

  private pauseBeforeProbe(): number {
    const { phase, approved } = this.record.state;
    if (phase !== 'reconciling') return Math.min(FIRST_WATCHING_PAUSE * 2 ** this.tries, LONGEST_WATCHING_PAUSE);
    const isAnswered = approved === 'early';
    return isAnswered ? Math.min(FIRST_ANSWERED_PAUSE * 2 ** (this.tries - 1), RECONCILING_PAUSE) : RECONCILING_PAUSE;
  }

  private probe(now: number): void {
    this.probing = true;
    this.probedAt = now;
    this.tries++;
    void this.probes
      .evidence(this.record, this.abort.signal, this.disputed)
      .catch((error) => {
        this.noteError(error);
        return undefined;
      })
      .then((evidence) => this.take(evidence));
  }

  private take(evidence: BackOfficeEvidence | undefined): void {
    this.probing = false;
    if (this.detached) return;
    if (evidence === undefined) this.scheduleIfIdle();
    else this.enqueue(evidence);
  }
}
