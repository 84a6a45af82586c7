interface Closable {
  close(): Promise<void>;
}

interface Shared<S> {
  store: Promise<S>;
  users: number;
  /** Set once the last user has left. When it resolves the store can be opened again. */
  closing?: Promise<void>;
}

/** The stores that this process has open, one for each place, however many journals use it. */
export class SharedStores<S extends Closable> {
  private readonly open = new Map<string, Shared<S>>();

  /**
   * The store of a place, and how to leave it. When its last user leaves, it closes.
   * @param openStore called where it is not open
   */
  async join(place: string, openStore: () => Promise<S>): Promise<{ store: S; leave: () => Promise<void> }> {
    const shared = await this.enter(place, openStore);
    const leave = async (): Promise<void> => {
      shared.users--;
      if (shared.users > 0) return;
      shared.closing = this.close(place, shared);
      await shared.closing;
    };
    try {
      return { store: await shared.store, leave };
    } catch (error) {
      if (this.open.get(place) === shared) this.open.delete(place);
      throw error;
    }
  }

  /** Counts the caller as a user in the same turn in which it finds the store open, so that nobody closes it in between. */
  private async enter(place: string, openStore: () => Promise<S>): Promise<Shared<S>> {
    for (;;) {
      const shared = this.open.get(place) ?? { store: openStore(), users: 0 };
      this.open.set(place, shared);
      if (shared.closing === undefined) {
        shared.users++;
        return shared;
      }
      await shared.closing;
    }
  }

  private async close(place: string, shared: Shared<S>): Promise<void> {
    try {
      await (await shared.store).close();
    } finally {
      this.open.delete(place);
    }
  }
}
