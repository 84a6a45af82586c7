/** Notifies listeners that something has changed. They look up for themselves what it was. */
export class Changes {
  private readonly listeners = new Set<() => void>();

  /** Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(): void {
    for (const listener of this.listeners) listener();
  }
}
