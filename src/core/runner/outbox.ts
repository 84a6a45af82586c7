import type { PaymentError } from '../base/errors.js';
import type { Dispatcher } from '../delivery/dispatcher.js';
import type { Delivery } from '../delivery/listener.js';
import type { ResultPayload } from '../delivery/payload.js';
import { barePayload } from '../delivery/result-payload.js';
import type { OperationRecord } from '../journal/record.js';
import type { LatestVerdict, PendingDelivery } from '../operation/delivery-state.js';
import { exitOf, JOURNAL_UNAVAILABLE, NOT_CHARGED, type Verdict, verdictWithoutEnd } from '../operation/verdict.js';
import { verdictFor } from '../original/reversal.js';
import type { RecordWriter } from './record-writer.js';

/** What an outbox needs of its runner. */
export interface DeliverySource {
  record(): OperationRecord;
  /** @param again an earlier engine may have delivered it already, before a crash */
  payloadOf(pending: PendingDelivery, again: boolean): ResultPayload;
  /** Called once a verdict is handed over, so that the journal notes it. */
  onDelivered(sequence: number): void;
  /** Called with every verdict on its way to the flow. */
  onVerdict(delivery: NumberedDelivery): void;
  /** Called once the flow was told that the journal cannot be written. */
  onUnavailable(): void;
  noteError(error: unknown): void;
}

/** A verdict as the flow is told it. */
export interface NumberedDelivery {
  delivery: Delivery;
  /** Its number among the verdicts of the operation; absent where the journal does not have it. */
  sequence?: number;
}

/** Hands the verdicts of one operation to the flow: none before the journal has it, and each at least once. */
export class Outbox {
  /** The error behind the latest failed request. Of an earlier engine's error the journal keeps only the text. */
  mistake: PaymentError | undefined;
  private withheld = false;
  /** The number of the verdict that the dispatcher has, in the life of this process. */
  private offered: number | undefined;
  /** This process has delivered a verdict. */
  private hasDelivered = false;
  /** The flow was told that the journal cannot be written. */
  private toldUnavailable = false;
  /** The flow has heard that the journal cannot be written, and nothing since. */
  isUnanswered = false;
  /** The latest verdict that the journal has. */
  private durable: LatestVerdict | undefined;

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly writer: RecordWriter,
    private readonly source: DeliverySource,
  ) {
    this.durable = source.record().state.latest;
  }

  /** A verdict waits for the journal: delivered before the journal has it, it would be delivered again after a crash. */
  get isWithheld(): boolean {
    return this.withheld;
  }

  /** The verdict that waits for the journal, as the flow would be told it. */
  get withheldPayload(): ResultPayload | undefined {
    const { pending } = this.source.record().state;
    return this.withheld && pending !== undefined ? this.deliveryOf(pending, false).payload : undefined;
  }

  /**
   * Delivers again what an earlier engine left pending. A verdict that it marked as undelivered waits until the journal has
   * dropped the mark, which would be wrong after the delivery.
   */
  resume(): void {
    const { pending } = this.source.record().state;
    this.withheld = pending?.undelivered === true;
    if (!this.withheld) this.deliver(true);
  }

  /** Withdraws a verdict from the dispatcher while the journal stores the one that replaces it. */
  withdraw(): void {
    this.dispatcher.withdraw(this.source.record().operationId);
  }

  deliverIfPersisted(): void {
    this.withheld = this.writer.unpersisted;
    if (!this.withheld) this.deliver(false);
    else
      this.source.noteError(
        `${this.source.record().state.reported} is not delivered before the journal can be written`,
      );
  }

  /** Delivers what was withheld, once the journal has it. */
  deliverWithheld(): void {
    if (this.withheld && !this.writer.unpersisted) this.deliverIfPersisted();
  }

  /**
   * Tells a flow without a verdict that the journal cannot be written; at once where the flow relies on a "no" that has
   * turned out wrong. The verdict follows as a correction.
   */
  reportUnavailable(): void {
    const isDue = this.standsOnOldNo ? this.writer.isUnavailable(0) : !this.hasVerdict && this.writer.isUnavailable();
    if (!isDue) return;
    this.toldUnavailable = true;
    this.deliverUnwritten(verdictWithoutEnd(this.source.record().operation, JOURNAL_UNAVAILABLE), () => {
      this.hasDelivered = true;
      this.isUnanswered = true;
      this.source.onUnavailable();
    });
  }

  /** The current verdict; undefined until the journal has one. */
  latestDelivery(): NumberedDelivery | undefined {
    const { durable } = this;
    if (durable === undefined) return undefined;
    return { delivery: this.deliveryOf({ ...durable, correction: false }, false), sequence: durable.sequence };
  }

  /** The record was never written, so nothing was sent. Returns false where the flow has been told nothing before. */
  retract(error: unknown): boolean {
    if (!this.hasDelivered) {
      // What waits for its node, or for a deploy, is over: its error says so.
      this.withdraw();
      return false;
    }
    const { code, name } = JOURNAL_UNAVAILABLE.error ?? { code: '', name: '' };
    const verdict = { ...NOT_CHARGED, error: { code, name, message: String(error) } };
    this.deliverUnwritten(verdict, () => undefined);
    return true;
  }

  private deliverUnwritten(verdict: Verdict, onDelivered: () => void): void {
    const record = this.source.record();
    const { sequence = 0 } = record.state.pending ?? {};
    const pending: PendingDelivery = { sequence, verdict, source: 'recovery', correction: false };
    const payload = this.safePayload(pending, () => this.source.payloadOf(pending, false));
    if (this.hasHeard) payload.correction = true;
    const { operationId: id, origin } = record;
    const delivery = { id, exit: exitOf(payload), origin, payload };
    this.dispatcher.deliver(delivery, onDelivered, true);
    this.source.onVerdict({ delivery });
  }

  /** A part of the flow may have the verdict, because its node threw over it: whatever follows has to say so. */
  noteIfPartlyTold(): void {
    const { operationId, state } = this.source.record();
    if (state.pending !== undefined && this.dispatcher.mayHaveTold(operationId)) state.pending.mayBeDelivered = true;
  }

  /** A result for callback-in alone, after the flow had its last one. */
  deliverLate(
    pending: Pick<PendingDelivery, 'verdict' | 'source'>,
    build: () => ResultPayload,
    onDelivered?: () => void,
  ): void {
    const payload = this.safePayload(pending, build);
    const { operationId: id, origin } = this.source.record();
    this.dispatcher.deliverLate({ id, exit: exitOf(payload), origin, payload }, onDelivered);
  }

  /** The flow was told a "no" that is not final, and its correction is withheld. */
  private get standsOnOldNo(): boolean {
    if (!this.withheld || this.toldUnavailable || this.durable === undefined || !this.hasHeard) return false;
    const { final, moneyMoved } = this.durable.verdict;
    const { pending } = this.source.record().state;
    // A hold that was done moves no money either.
    const isStillNo = pending?.verdict.moneyMoved === 'no' && exitOf(pending.verdict) === 'not-done';
    return moneyMoved === 'no' && !final && !isStillNo;
  }

  /** The flow has got a verdict from this engine, or may have got one from an earlier engine. */
  private get hasHeard(): boolean {
    const { pending, reported } = this.source.record().state;
    if (this.hasDelivered) return true;
    return pending === undefined ? reported !== undefined : pending.correction || pending.mayBeDelivered === true;
  }

  /** The flow has heard a verdict, or hears it as soon as its node is there. */
  private get hasVerdict(): boolean {
    const { pending } = this.source.record().state;
    return this.hasHeard || (pending !== undefined && this.offered === pending.sequence);
  }

  private deliver(again: boolean): void {
    const { pending } = this.source.record().state;
    if (pending === undefined) return;
    const delivery = this.deliveryOf(pending, again);
    const { sequence } = pending;
    this.durable = pending;
    this.offered = sequence;
    this.dispatcher.deliver(delivery, () => {
      this.hasDelivered = true;
      this.isUnanswered = false;
      this.source.onDelivered(sequence);
    });
    // Another process may hand it over by now, whatever becomes of this one: what follows corrects it.
    if (this.dispatcher.isForElsewhere(delivery.origin)) pending.mayBeDelivered = true;
    this.noteIfPartlyTold();
    this.source.onVerdict({ delivery, sequence });
  }

  private deliveryOf(recorded: PendingDelivery, again: boolean): Delivery {
    const record = this.source.record();
    const pending = { ...recorded, verdict: verdictFor(record, recorded.verdict) };
    const payload = this.safePayload(pending, () => this.source.payloadOf(pending, again));
    const isCorrection = pending.correction === true || this.hasDelivered;
    // What has left by an output is corrected by an output: Catch would leave the flow there without an end.
    const isMistake = pending.mistake === true && !isCorrection;
    if (isCorrection) payload.correction = true;
    if (again) payload.redelivered = true;
    return {
      id: record.operationId,
      exit: isMistake ? 'mistake' : exitOf(payload),
      origin: record.origin,
      payload,
      sequence: pending.sequence,
      ...(isMistake && this.mistake !== undefined ? { error: this.mistake } : {}),
    };
  }

  /** A payload that cannot be built is replaced by one that calls for a person: silence would be worse. */
  private safePayload(pending: Pick<PendingDelivery, 'verdict' | 'source'>, build: () => ResultPayload): ResultPayload {
    try {
      return build();
    } catch (error) {
      this.source.noteError(error);
      return barePayload(this.source.record(), pending, error);
    }
  }
}
