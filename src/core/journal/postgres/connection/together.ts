/** Asks for many things at once what is asked for one by one in the same turn. */
export class Together<Found> {
  private asked: { ids: string[]; found: Promise<ReadonlyMap<string, Found>> } | undefined;

  /** @param ask gives what it finds, by id */
  constructor(private readonly ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>) {}

  async find(id: string): Promise<Found | undefined> {
    this.asked ??= this.askSoon();
    const { ids, found } = this.asked;
    ids.push(id);
    return (await found).get(id);
  }

  private askSoon(): { ids: string[]; found: Promise<ReadonlyMap<string, Found>> } {
    const ids: string[] = [];
    const found = Promise.resolve().then(() => {
      this.asked = undefined;
      return this.ask(ids);
    });
    return { ids, found };
  }
}
