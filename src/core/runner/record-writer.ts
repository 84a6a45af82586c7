import type { Clock, Timer } from '../base/seams.js';
import { JOURNAL_PATIENCE } from '../base/timings.js';
import type { Journal } from '../journal/journal.js';
import type { Existing } from '../journal/order-claim.js';
import { forgetPersisted, persisted } from '../journal/persisted.js';
import type { OperationRecord } from '../journal/record.js';

const SAVE_AGAIN = 5000;

/** Writes the record of one operation to the journal. */
export class RecordWriter {
  private creating = false;
  /** Since when the journal cannot take the latest version of the record, epoch ms. */
  private failingSince: number | undefined;
  /** When it failed to last, epoch ms. */
  private failedAt = 0;
  /** Since when a write is under way, epoch ms. */
  private writingSince: number | undefined;

  /** @param onHanging called when a write takes so long that the flow must not wait any more */
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly log: (level: 'error', text: string) => void,
    private readonly onHanging: () => void,
  ) {}

  /** The journal does not have the operation yet: it may never be sent, so nothing falls due. */
  get isCreating(): boolean {
    return this.creating;
  }

  /** The journal could not take the latest version of the record. */
  get unpersisted(): boolean {
    return this.failingSince !== undefined;
  }

  /** When the record is to be written again; undefined where the journal has it. Epoch ms. */
  get againAt(): number | undefined {
    return this.unpersisted ? this.failedAt + SAVE_AGAIN : undefined;
  }

  /** The journal has failed for so long that the flow must not wait any more. @param patience ms */
  isUnavailable(patience = JOURNAL_PATIENCE): boolean {
    const since = this.failingSince ?? this.writingSince;
    if (since === undefined || this.clock.now() < since + patience) return false;
    return this.journal.mayTellUnavailable();
  }

  /** Writes the record for the first time, once `leased` resolves. @throws JournalError */
  async create(record: OperationRecord, leased: Promise<void>): Promise<{ attempt: number } | Existing> {
    this.creating = true;
    const timer = this.watch();
    try {
      const recorded = await leased.then(() => this.journal.record(persisted(record)));
      this.creating = false;
      return recorded;
    } finally {
      this.unwatch(timer);
    }
  }

  /** Resolves with whether the journal took the record. Never rejects. */
  async save(record: OperationRecord): Promise<boolean> {
    const timer = this.watch();
    try {
      await this.journal.advance(persisted(record));
      this.failingSince = undefined;
      if (record.closed) forgetPersisted(record);
    } catch (error) {
      if (!this.unpersisted) this.log('error', `journal: ${String(error)}; will try again`);
      this.failedAt = this.clock.now();
      this.failingSince ??= this.failedAt;
    } finally {
      this.unwatch(timer);
    }
    return !this.unpersisted;
  }

  /** A write begins. Not a promise around it, as every payment waits for several writes. */
  private watch(): Timer | undefined {
    const now = this.clock.now();
    const patience = (this.failingSince ?? now) + JOURNAL_PATIENCE - now;
    this.writingSince = now;
    return patience > 0 ? this.clock.after(patience, this.onHanging) : undefined;
  }

  private unwatch(timer: Timer | undefined): void {
    timer?.cancel();
    this.writingSince = undefined;
  }
}
