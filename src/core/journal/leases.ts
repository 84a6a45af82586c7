/**
 * Which engine works on which open operation, for a journal that belongs to one process. Leases live in memory on
 * purpose: one that outlived its process would keep the next process from resuming the operation after a crash.
 */
export class Leases {
  private readonly holders = new Map<string, string>();
  private readonly ends = new Map<string, number>();

  hold(operationId: string, owner: string): void {
    this.holders.set(operationId, owner);
  }

  /** @param now epoch ms. The lease of an owner that has never renewed does not run out. */
  claim(operationId: string, owner: string, now: number): boolean {
    const holder = this.holders.get(operationId);
    if (holder !== undefined && holder !== owner && (this.ends.get(holder) ?? Number.POSITIVE_INFINITY) > now)
      return false;
    this.hold(operationId, owner);
    return true;
  }

  /** Whether an engine of this process works on it, or has worked on it last. */
  isHeld(operationId: string): boolean {
    return this.holders.has(operationId);
  }

  renew(owner: string, until: number): void {
    this.ends.set(owner, until);
  }

  release(owner: string): void {
    this.ends.delete(owner);
    for (const [operationId, holder] of this.holders) if (holder === owner) this.holders.delete(operationId);
  }

  forget(operationId: string): void {
    this.holders.delete(operationId);
  }

  clear(): void {
    this.holders.clear();
    this.ends.clear();
  }
}
