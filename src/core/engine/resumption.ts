import { Abort } from '../base/abort.js';
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
  /** See `Journal.unchangedFor`. */
  unchangedFor: number | undefined;
}

/** Whoever works on the operations that are resumed. */
interface Host {
  isStopped(): boolean;
  /** Whether it works on the operation already. */
  has(operationId: string): boolean;
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
    const unsent: string[] = [];
    const open = await this.options.journal.openIds(this.options.environment);
    const isSentLeft = await this.resumeInBatches(open, unsent);
    const isUnsentLeft = await this.resumeInBatches(unsent);
    return this.host.isStopped() ? undefined : isSentLeft || isUnsentLeft;
  }

  /**
   * Undefined for each that was not taken up. @throws JournalError
   * @param unsent gets the ids of what waits for its turn, and is to be resumed later. Absent: that is taken up as well.
   */
  async resume(operationIds: readonly string[], unsent?: string[]): Promise<(AnyRunner | undefined)[]> {
    if (this.host.isStopped()) return [];
    const resumed = this.takeUpAll(operationIds, unsent);
    this.resuming.add(resumed);
    return resumed.finally(() => {
      this.resuming.delete(resumed);
      if (this.resuming.size === 0) this.ended.clear();
    });
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

  /** Resolves with whether one was not taken up. */
  private async resumeInBatches(operationIds: string[], unsent?: string[]): Promise<boolean> {
    let isOneLeft = false;
    while (operationIds.length > 0 && !this.host.isStopped()) {
      const next = operationIds.splice(0, RESUMED_AT_ONCE).filter((operationId) => !this.host.has(operationId));
      const resumed = await this.resume(next, unsent);
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
  private async takeUpAll(operationIds: readonly string[], unsent?: string[]): Promise<(AnyRunner | undefined)[]> {
    await this.host.hold();
    // All of them, even where one fails: what is still being claimed then would be held for ever.
    const all = await Promise.allSettled(operationIds.map((operationId) => this.claimed(operationId)));
    const resumed: (AnyRunner | undefined)[] = [];
    for (const result of all) {
      const claimed = result.status === 'fulfilled' ? result.value : undefined;
      if (unsent !== undefined && claimed !== undefined && waitsForTurn(claimed.record)) {
        unsent.push(claimed.record.operationId);
      } else resumed.push(claimed && (await this.host.takeUp(claimed)));
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
    return record && { record, receipts, unchangedFor };
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
