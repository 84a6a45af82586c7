import { Abort } from '../base/abort.js';
import { RECOVERY_LIMIT } from '../base/timings.js';
import type { Receipts } from '../delivery/payload.js';
import { type OperationRecord, waitsForTurn } from '../journal/record.js';
import { sleep } from '../platform/sleep.js';
import type { AnyRunner } from '../runner/runner-context.js';
import type { EngineOptions } from './options.js';

/** After resuming so many operations the engine waits for what they write. */
const RESUMED_AT_ONCE = 100;
/** How long that is awaited at most, ms. */
const LONGEST_PAUSE = 1_000;

/** An operation that no other engine works on, as the journal has it. */
export interface Claimed {
  record: OperationRecord;
  receipts: Receipts | undefined;
  /** When it was found first here, epoch ms: it may take a while until it can be taken up. */
  foundAt: number;
  /** See `Journal.unchangedFor`. */
  unchangedFor: number | undefined;
}

/** What is taken up after everything that was sent. */
interface Later {
  operationIds: string[];
  /** Whether something that was sent cannot be taken up yet, and may stand at the terminal of one of them. */
  mustWait: boolean;
}

/** Whoever works on the operations that are resumed. */
interface Host {
  isStopped(): boolean;
  /** Whether it works on the operation already, or records it. */
  has(operationId: string): boolean;
  get(operationId: string): AnyRunner | undefined;
  /** Holds its lease. @throws JournalError */
  hold(): Promise<void>;
  /** Works on the operation from now on. Undefined: it is over, or cannot be taken up now. */
  takeUp(claimed: Claimed): Promise<AnyRunner | undefined>;
}

/** Claims the operations that earlier engines left open in the journal, and hands them to its host one after the other. */
export class Resumption {
  private readonly resuming = new Set<Promise<unknown>>();
  /** What came to its end meanwhile: a callback may be quicker than a record that was read before it. */
  private readonly ended = new Set<string>();
  /** When what is not taken up yet was found first, epoch ms, by id. */
  private readonly found = new Map<string, number>();
  /** Ids of operations that were cancelled before they were taken up. */
  private readonly cancelled = new Set<string>();
  /** Since when there is one that cannot be read, epoch ms. */
  private unreadSince: number | undefined;
  /** Cancellations that still look for what they mean. */
  private readonly cancelling = new Set<(record: OperationRecord) => boolean>();

  /** @param owner id of the engine that claims them */
  constructor(
    private readonly options: Pick<EngineOptions, 'journal' | 'environment' | 'clock' | 'receipts' | 'log'>,
    private readonly owner: string,
    private readonly host: Host,
  ) {}

  /**
   * What was sent goes first, as it may stand at its terminal already: an operation that waits for its original may be older
   * than one that has gone to the terminal before it.
   * @returns whether another engine still works on one; undefined where the host was stopped
   * @throws JournalError
   */
  async resumeOpen(): Promise<boolean | undefined> {
    const later: Later = { operationIds: [], mustWait: false };
    const errors: unknown[] = [];
    const open = await this.options.journal.openIds(this.options.environment);
    let isOneLeft = await this.resumeInBatches(open, errors, later);
    if (this.mayBeAtTerminals(errors.length > 0)) later.mustWait = true;
    if (!later.mustWait) isOneLeft = (await this.resumeInBatches(later.operationIds, errors)) || isOneLeft;
    if (errors.length > 0) throw errors[0];
    return this.host.isStopped() ? undefined : isOneLeft;
  }

  /** What cannot be read may have been sent, and stand at the terminal of what waits: for so long as a payment may last. */
  private mayBeAtTerminals(isUnread: boolean): boolean {
    const now = this.options.clock.now();
    this.unreadSince = isUnread ? (this.unreadSince ?? now) : undefined;
    return this.unreadSince !== undefined && now < this.unreadSince + RECOVERY_LIMIT;
  }

  /**
   * Undefined for each that was not taken up. @throws JournalError
   * @param later gets what waits for its turn. Absent: that is taken up as well.
   */
  async resume(operationIds: readonly string[], later?: Later): Promise<(AnyRunner | undefined)[]> {
    if (this.host.isStopped()) return [];
    const resumed = this.takeUpAll(operationIds, later);
    this.resuming.add(resumed);
    return resumed.finally(() => {
      this.resuming.delete(resumed);
      if (this.resuming.size === 0) this.ended.clear();
    });
  }

  /**
   * Cancels open operations that the host does not work on yet: as soon as it does.
   * @throws JournalError where one cannot be read: it is not known whether that one is meant. The others are cancelled.
   */
  async cancelOnceTakenUp(isTarget: (record: OperationRecord) => boolean): Promise<void> {
    const { journal, environment, clock } = this.options;
    const at = clock.now();
    // What is ordered later is not meant, however long the journal takes; what lies in the future is of a clock that was ahead.
    const isLater = ({ createdAt }: OperationRecord): boolean => createdAt > at && createdAt <= clock.now();
    const isMeant = (record: OperationRecord): boolean => !isLater(record) && isTarget(record);
    this.cancelling.add(isMeant);
    try {
      const open = await journal.openIds(environment);
      const found = await Promise.allSettled(
        open.filter((id) => !this.host.has(id)).map((operationId) => journal.find({ operationId }, 1)),
      );
      for (const [record] of found.map((one) => (one.status === 'fulfilled' ? one.value : [])))
        if (record !== undefined && isMeant(record) && !this.host.has(record.operationId))
          this.cancelled.add(record.operationId);
      for (const one of found) if (one.status === 'rejected') throw one.reason;
    } finally {
      this.cancelling.delete(isMeant);
    }
  }

  /** Whether it was cancelled before it was taken up. */
  takeCancellation(record: OperationRecord): boolean {
    return this.cancelled.delete(record.operationId) || [...this.cancelling].some((isMeant) => isMeant(record));
  }

  /** To be called when an operation is over. */
  noteEnd(operationId: string): void {
    if (this.resuming.size > 0) this.ended.add(operationId);
  }

  /** Whether it is over since it was claimed. */
  hasEnded(operationId: string): boolean {
    return this.ended.has(operationId);
  }

  /** Resolves once nothing is being resumed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.resuming);
  }

  /**
   * Resolves with whether one was not taken up.
   * @param errors gets those of the journal: one that cannot be read keeps no other from being taken up
   */
  private async resumeInBatches(operationIds: string[], errors: unknown[], later?: Later): Promise<boolean> {
    let isOneLeft = false;
    while (operationIds.length > 0 && !this.host.isStopped()) {
      const next = operationIds.splice(0, RESUMED_AT_ONCE).filter((operationId) => !this.host.has(operationId));
      // Without its lease the engine can claim nothing.
      await this.host.hold();
      const resumed = await this.resume(next, later).catch((error): (AnyRunner | undefined)[] => {
        errors.push(error);
        return [];
      });
      if (resumed.includes(undefined)) isOneLeft = true;
      if (operationIds.length > 0) await this.handled(resumed.filter((runner) => runner !== undefined));
    }
    return isOneLeft;
  }

  /**
   * Waits for what resumed operations write, so that other changes need not wait for all of it. A journal that hangs holds
   * nothing up.
   */
  private async handled(resumed: readonly AnyRunner[]): Promise<void> {
    const done = new Abort();
    const all = Promise.all(resumed.map((runner) => runner.idle())).then(() => done.abort());
    await Promise.race([all, sleep(this.options.clock, LONGEST_PAUSE, done.signal)]);
  }

  /** All are read at once, and taken up one after the other, so that they stand in their queues as before. */
  private async takeUpAll(operationIds: readonly string[], later?: Later): Promise<(AnyRunner | undefined)[]> {
    await this.host.hold();
    // All of them, even where one fails: what is still being claimed then would be held for ever.
    const all = await Promise.allSettled(operationIds.map((operationId) => this.claimed(operationId)));
    const resumed: (AnyRunner | undefined)[] = [];
    for (const result of all) {
      const claimed = result.status === 'fulfilled' ? result.value : undefined;
      if (later !== undefined && claimed !== undefined && waitsForTurn(claimed.record)) {
        later.operationIds.push(claimed.record.operationId);
        continue;
      }
      const runner = claimed && (await this.host.takeUp(claimed));
      const isPostponed = claimed !== undefined && runner === undefined && !this.hasEnded(claimed.record.operationId);
      if (claimed !== undefined && !isPostponed) this.found.delete(claimed.record.operationId);
      if (later !== undefined && isPostponed) later.mustWait = true;
      resumed.push(runner);
    }
    for (const claimed of all) if (claimed.status === 'rejected') throw claimed.reason;
    return resumed;
  }

  private async claimed(operationId: string): Promise<Claimed | undefined> {
    const { journal, clock } = this.options;
    if (!(await journal.claim(operationId, this.owner, clock.now()))) return undefined;
    const [record] = await journal.find({ operationId }, 1);
    const unchangedFor = await journal.unchangedFor?.(operationId);
    const receipts = this.options.receipts && (await this.receiptsOf(operationId));
    if (record === undefined) return undefined;
    const foundAt = this.found.get(operationId) ?? clock.now();
    this.found.set(operationId, foundAt);
    return { record, receipts, unchangedFor, foundAt };
  }

  /** A payment is taken up even if its receipts cannot be read. */
  private async receiptsOf(operationId: string): Promise<Receipts | undefined> {
    try {
      return await this.options.receipts?.of(operationId);
    } catch (error) {
      this.options.log?.('error', `${operationId}: its receipts: ${String(error)}`);
      return undefined;
    }
  }
}
