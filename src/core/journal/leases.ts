/**
 * Who works on which open operation, for a journal that one process has to itself. It lives in memory on purpose: a
 * lease must not outlive the process that held it, or nobody could take up its operations after a crash.
 */
export class Leases {
  private readonly holders = new Map<string, string>();
  private readonly ends = new Map<string, number>();

  hold(operationId: string, owner: string): void {
    this.holders.set(operationId, owner);
  }

  /** Times in epoch ms. An owner that never renewed holds without end. */
  claim(operationId: string, owner: string, now: number): boolean {
    const holder = this.holders.get(operationId);
    if (holder !== undefined && holder !== owner && (this.ends.get(holder) ?? Number.POSITIVE_INFINITY) > now)
      return false;
    this.hold(operationId, owner);
    return true;
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
