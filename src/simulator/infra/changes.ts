/** Tells who listens that something has changed; what, they look up themselves. */
export class Changes {
  private readonly listeners = new Set<() => void>();

  /** Returns the way to stop that. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(): void {
    for (const listener of this.listeners) listener();
  }
}
