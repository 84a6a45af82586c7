import type { Journal } from '../journal/journal.js';
import { persisted } from '../journal/persisted.js';
import type { OperationRecord } from '../journal/record.js';

/** Writes the record of one operation to the journal. */
export class RecordWriter {
  /** The journal could not take the latest version of the record. */
  unpersisted = false;

  constructor(
    private readonly journal: Journal,
    private readonly log: (level: 'error', text: string) => void,
  ) {}

  /** Resolves with whether the journal took the record. Never rejects. */
  async save(record: OperationRecord): Promise<boolean> {
    try {
      await this.journal.advance(persisted(record));
      this.unpersisted = false;
    } catch (error) {
      if (!this.unpersisted) this.log('error', `journal: ${String(error)}; will try again`);
      this.unpersisted = true;
    }
    return !this.unpersisted;
  }
}
