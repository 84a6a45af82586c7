import { JournalError } from '../../src/core/base/errors.js';
import { MemoryJournal } from '../../src/core/journal/memory.js';

/** A journal that cannot be written while its disk is full. */
export class FullDisk extends MemoryJournal {
  isFull = false;

  protected override async commit(write: () => void): Promise<void> {
    if (this.isFull) throw new JournalError('no space left on the disk');
    write();
  }
}
