import { MemoryJournal } from '../../src/core/journal/memory.js';

/** A journal whose writes neither succeed nor fail while it hangs, as a database that is lost during a commit. */
export class HangingJournal extends MemoryJournal {
  hangs = false;
  private readonly waiting: (() => void)[] = [];

  comeBack(): void {
    this.hangs = false;
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  protected override async commit(write: () => void): Promise<void> {
    if (this.hangs) await new Promise<void>((resolve) => this.waiting.push(resolve));
    write();
  }
}
