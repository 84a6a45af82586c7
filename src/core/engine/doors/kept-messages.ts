import type { PaymentError } from '../../base/errors.js';
import type { Clock } from '../../base/seams.js';
import { JOURNAL_PATIENCE } from '../../base/timings.js';
import type { Dispatcher } from '../../delivery/dispatcher.js';
import type { Heard } from '../../delivery/heard.js';
import type { Delivery } from '../../delivery/listener.js';
import { resultPayload } from '../../delivery/result-payload.js';
import type { Origin } from '../../operation/order.js';
import {
  exitOf,
  JOURNAL_UNAVAILABLE,
  NOT_CHARGED,
  RECORD_LOST,
  type Verdict,
  verdictWithoutEnd,
} from '../../operation/verdict.js';
import type { Unanswered } from '../options.js';

/** Longer than the time between two looks at a database that does not answer, ms. */
const AWAKE = 25_000;

/** A message that came in by this process, and what it asked for. */
export interface Kept extends Pick<Unanswered, 'operation' | 'request' | 'first'> {
  id: string;
  /** As its node knows it. */
  origin: Origin;
}

interface Awaited {
  message: Kept;
  /** The leader has recorded it. */
  isAccepted: boolean;
  /** That the journal cannot be reached is told as soon as there is a node for it. */
  isToldUnavailable: boolean;
  /** The flow has heard that. */
  heardUnavailable: boolean;
  /** Its result is here: told, or waiting for its node. */
  hasResult: boolean;
  /** This process was counted as dead meanwhile: the leader may have told it anything. */
  wasDead: boolean;
  /** Resolves the submission, once the flow has been told anything. */
  told: () => void;
}

/**
 * Messages that came in by a door and have no result yet. While the database is away nobody can tell their results: after a
 * minute the flow hears that, and the result follows as a correction.
 */
export class KeptMessages {
  private readonly awaited = new Map<string, Awaited>();
  private reachedAt: number;
  private failedAt: number | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly dispatcher: Dispatcher,
    private readonly heard: Pick<Heard, 'lastOf'>,
  ) {
    this.reachedAt = clock.now();
  }

  /** A message that waits for its result lets the next look come soon. */
  get isAwaited(): boolean {
    return this.awaited.size > 0;
  }

  /** See `Door.unanswered`. */
  get unanswered(): Unanswered[] {
    return [...this.awaited]
      .filter(([, { isAccepted, heardUnavailable, hasResult }]) => isAccepted && heardUnavailable && !hasResult)
      .map(
        ([
          operationId,
          {
            message: { id: _id, ...message },
          },
        ]) => ({ operationId, ...message }),
      );
  }

  /** What the leader has taken, and has not told the end of here. */
  get accepted(): Kept[] {
    return [...this.awaited.values()]
      .filter(({ isAccepted, hasResult }) => isAccepted && !hasResult)
      .map(({ message }) => message);
  }

  /** What was accepted is told by the engine or the door that takes the place of this one. */
  leaveAccepted(): void {
    for (const [id, { isAccepted, heardUnavailable, hasResult }] of this.awaited) {
      if (!isAccepted) continue;
      this.awaited.delete(id);
      if (!heardUnavailable && !hasResult) this.dispatcher.drop(id);
    }
  }

  /** The journal has lost what the leader had taken, so that nobody else tells its flow. */
  tellLost({ id }: Kept): void {
    const awaited = this.awaited.get(id);
    if (awaited === undefined || awaited.hasResult) return;
    awaited.hasResult = true;
    const { message, heardUnavailable } = awaited;
    this.tell(message, verdictWithoutEnd(message.operation, RECORD_LOST), heardUnavailable);
  }

  originOf(id: string): Origin | undefined {
    return this.awaited.get(id)?.message.origin;
  }

  /**
   * Keeps a message while the leader is asked for it. Resolves with its id once it is accepted, or once the flow had to be told
   * something else first; rejects where it was certainly not, and the flow has been told nothing.
   */
  keep(message: Kept, asked: Promise<unknown>): Promise<string> {
    const { id } = message;
    return new Promise((resolve, reject) => {
      const awaited: Awaited = {
        message,
        isAccepted: false,
        isToldUnavailable: false,
        heardUnavailable: false,
        hasResult: false,
        wasDead: false,
        told: () => resolve(id),
      };
      this.awaited.set(id, awaited);
      asked.then(
        () => {
          awaited.isAccepted = true;
          resolve(id);
        },
        (error) => {
          this.awaited.delete(id);
          this.dispatcher.drop(id);
          if (awaited.heardUnavailable) this.retract(message, error);
          else reject(error);
        },
      );
    });
  }

  /** Keeps a message that came in while this process led: its flow has heard that nobody knows, and another process may have told the end. */
  adopt({ operationId: id, operation, request, origin, first }: Unanswered): void {
    const message = { id, operation, request, origin, ...(first !== undefined && { first }) };
    const told = { isToldUnavailable: true, heardUnavailable: true, told: () => undefined };
    this.awaited.set(id, { message, isAccepted: true, hasResult: false, wasDead: true, ...told });
  }

  /** The delivery as it is told here: to the very message, and as a correction of what was told before. */
  prepare(delivery: Delivery): Delivery {
    const awaited = this.awaited.get(delivery.id);
    if (awaited === undefined) return delivery;
    awaited.hasResult = true;
    const payload = awaited.heardUnavailable ? { ...delivery.payload, correction: true } : delivery.payload;
    return { ...delivery, origin: awaited.message.origin, payload };
  }

  onTold(id: string): void {
    this.awaited.delete(id);
  }

  /** The leader has counted this process as dead, and tells by its own nodes what it has recorded. */
  noteDead(): void {
    for (const awaited of this.awaited.values()) awaited.wasDead = true;
  }

  /**
   * Waits no longer for what the leader tells. Where it had told the end before the flow heard here that nobody knows, the flow
   * hears the end once more.
   * @param endOf see `Library.endOnceMore`
   * @throws JournalError
   */
  async leaveToLeader(endOf: (message: Kept) => Promise<Delivery | undefined>): Promise<void> {
    for (const [id, awaited] of this.awaited) {
      if (!awaited.wasDead || !awaited.isAccepted || awaited.hasResult) continue;
      const end = awaited.heardUnavailable ? await endOf(awaited.message) : undefined;
      if (!awaited.heardUnavailable) this.dispatcher.drop(id);
      // It is told already: once more does no harm, whoever counts this process as dead by then.
      if (this.awaited.delete(id) && end !== undefined) this.dispatcher.deliver(end, () => undefined, true);
    }
  }

  noteReached(): void {
    this.reachedAt = this.clock.now();
    this.failedAt = undefined;
  }

  /** The database cannot be reached. */
  noteAway(): void {
    const now = this.clock.now();
    // A process that has just woken up knows nothing of the time before.
    if (now - (this.failedAt ?? this.reachedAt) > AWAKE) this.reachedAt = now;
    this.failedAt = now;
    if (now - this.reachedAt < JOURNAL_PATIENCE) return;
    for (const awaited of this.awaited.values()) this.tellUnavailable(awaited);
  }

  private tellUnavailable(awaited: Awaited): void {
    const { message } = awaited;
    // The engine or door of the next deploy may have told its result already.
    const hasResult = awaited.hasResult || this.heard.lastOf(message.id) > 0;
    if (awaited.isToldUnavailable || hasResult) return;
    awaited.isToldUnavailable = true;
    this.tell(message, verdictWithoutEnd(message.operation, JOURNAL_UNAVAILABLE), false, () => {
      awaited.heardUnavailable = true;
      awaited.told();
    });
  }

  private retract(message: Kept, error: PaymentError): void {
    const { code, name } = error;
    this.tell(message, { ...NOT_CHARGED, error: { code, name, message: error.message } }, true);
  }

  private tell(
    { id, origin, operation, request }: Kept,
    verdict: Verdict,
    isCorrection: boolean,
    onTold: () => void = () => undefined,
  ): void {
    const told = { operationId: id, operation, request, timeline: [] };
    const payload = resultPayload(told, verdict, 'recovery', {});
    if (isCorrection) payload.correction = true;
    this.dispatcher.deliver({ id, exit: exitOf(verdict), origin, payload }, onTold, true);
  }
}
