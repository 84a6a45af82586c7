/**
 * Collections whose entries come and go with every payment.
 *
 * V8 moves a Map or a Set to a new table now and then. The old table keeps what was in it, and points to the new one: once one
 * of them is in the old generation, all tables after it outlive every quick collection, with whatever they ever held, until a
 * full one. More than half of what a sale left in the old generation was kept that way. So these tables hold a slot for each entry,
 * and empty it when the entry goes.
 */

interface Slot<V> {
  value: V | undefined;
}

/** A map by id. Its values are never undefined. */
export class TransientMap<V> {
  private readonly slots = new Map<string, Slot<V>>();

  get size(): number {
    return this.slots.size;
  }

  has(id: string): boolean {
    return this.slots.has(id);
  }

  get(id: string): V | undefined {
    return this.slots.get(id)?.value;
  }

  set(id: string, value: V): void {
    const slot = this.slots.get(id);
    if (slot === undefined) this.slots.set(id, { value });
    else slot.value = value;
  }

  delete(id: string): void {
    const slot = this.slots.get(id);
    if (slot === undefined) return;
    slot.value = undefined;
    this.slots.delete(id);
  }

  /** Oldest first. */
  ids(): Iterable<string> {
    return this.slots.keys();
  }

  /** Oldest first. */
  get values(): V[] {
    return valuesIn(this.slots.values());
  }
}

/** A set of objects. Each addition is an entry of its own. */
export class TransientSet<V extends object> {
  private readonly slots = new Set<Slot<V>>();

  get size(): number {
    return this.slots.size;
  }

  /** Returns how to remove it, which does nothing the second time. */
  add(value: V): () => void {
    const slot: Slot<V> = { value };
    this.slots.add(slot);
    return () => {
      slot.value = undefined;
      this.slots.delete(slot);
    };
  }

  /** Oldest first. */
  [Symbol.iterator](): Iterator<V> {
    return valuesIn(this.slots)[Symbol.iterator]();
  }
}

function valuesIn<V>(slots: Iterable<Slot<V>>): V[] {
  return [...slots].flatMap(({ value }) => (value === undefined ? [] : [value]));
}
