/** How many messages are remembered as told. */
const REMEMBERED = 1000;

/**
 * What the flows of this process have heard, which the journal may not know while it cannot be reached. It outlives engines and
 * doors, but not the process.
 */
export class Heard {
  /** By message: the verdict of the leader that it was told last. */
  private readonly told = new Map<string, number>();
  private readonly unavailable = new Set<string>();

  noteTold(message: string, sequence: number): void {
    this.told.delete(message);
    this.told.set(message, sequence);
    const [oldest] = this.told.keys();
    if (this.told.size > REMEMBERED && oldest !== undefined) this.told.delete(oldest);
  }

  /** The number of the verdict that a message was told last; 0: none. */
  lastOf(message: string): number {
    return this.told.get(message) ?? 0;
  }

  /** A message has heard that nobody knows, because the journal cannot be reached. */
  noteUnavailable(message: string): void {
    this.unavailable.add(message);
  }

  /** Whether that is the last that a message has heard. */
  isUnavailable(message: string): boolean {
    return this.unavailable.has(message);
  }

  /** The same of a message that hears something else now. */
  forgetUnavailable(message: string): boolean {
    return this.unavailable.delete(message);
  }
}
