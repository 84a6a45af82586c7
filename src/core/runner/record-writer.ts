import type { Clock } from '../base/seams.js';
import { JOURNAL_PATIENCE } from '../base/timings.js';
import type { Journal } from '../journal/journal.js';
import { persisted } from '../journal/persisted.js';
import type { OperationRecord } from '../journal/record.js';

/** Writes the record of one operation to the journal. */
export class RecordWriter {
  /** Since when the journal cannot take the latest version of the record, epoch ms. */
  private failingSince: number | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly log: (level: 'error', text: string) => void,
  ) {}

  /** The journal could not take the latest version of the record. */
  get unpersisted(): boolean {
    return this.failingSince !== undefined;
  }

  /** It has not taken it for so long that the flow must not wait any more. */
  get isUnavailable(): boolean {
    return this.failingSince !== undefined && this.clock.now() >= this.failingSince + JOURNAL_PATIENCE;
  }

  /** Resolves with whether the journal took the record. Never rejects. */
  async save(record: OperationRecord): Promise<boolean> {
    try {
      await this.journal.advance(persisted(record));
      this.failingSince = undefined;
    } catch (error) {
      if (!this.unpersisted) this.log('error', `journal: ${String(error)}; will try again`);
      this.failingSince ??= this.clock.now();
    }
    return !this.unpersisted;
  }
}
