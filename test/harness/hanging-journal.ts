import { JournalError } from '../../src/core/base/errors.js';
import { MemoryJournal } from '../../src/core/journal/memory.js';
import type { RepeatRecord } from '../../src/core/journal/record.js';

interface Write {
  goOn(): void;
  fail(error: JournalError): void;
}

/** A journal whose writes neither succeed nor fail while it hangs, as a database that is lost during a commit. */
export class HangingJournal extends MemoryJournal {
  hangs = false;
  hangsOverRepeats = false;
  private readonly waiting: Write[] = [];

  comeBack(): void {
    for (const { goOn } of this.isOver()) goOn();
  }

  /** It comes back, and has nothing of what hung. */
  refuse(): void {
    for (const { fail } of this.isOver()) fail(new JournalError('the connection was lost'));
  }

  override async recordRepeat(repeat: RepeatRecord): Promise<void> {
    if (this.hangsOverRepeats) await this.over();
    await super.recordRepeat(repeat);
  }

  protected override async commit(write: () => void): Promise<void> {
    if (this.hangs) await this.over();
    write();
  }

  private over(): Promise<void> {
    return new Promise((goOn, fail) => this.waiting.push({ goOn, fail }));
  }

  private isOver(): Write[] {
    this.hangs = false;
    this.hangsOverRepeats = false;
    return this.waiting.splice(0);
  }
}
