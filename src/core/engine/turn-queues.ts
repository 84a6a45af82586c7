import { type OperationRecord, originalIn } from '../journal/record.js';

/**
 * One operation at a time in each line (a terminal, an original transaction), first come first served. Who stands in
 * several lines joins them all at once, so that no two ever wait for each other.
 */
export class TurnQueues {
  private readonly queues = new Map<string, string[]>();
  private readonly places = new Map<string, readonly string[]>();

  /** `called` runs with an operation's id when its turn comes. */
  constructor(private readonly called: (operationId: string) => void) {}

  /** Stands in lines. True when nobody is before it in any, so that it is the caller's turn at once. */
  join(lines: readonly string[], operationId: string): boolean {
    if (!this.places.has(operationId)) {
      this.places.set(operationId, lines);
      for (const line of lines) this.queues.set(line, [...(this.queues.get(line) ?? []), operationId]);
    }
    return this.isNext(operationId);
  }

  /** Whether it is an operation's turn. */
  isNext(operationId: string): boolean {
    return this.places.get(operationId)?.every((line) => this.queues.get(line)?.[0] === operationId) ?? false;
  }

  /** Leaves its lines, from wherever in them; without effect when in none. */
  leave(operationId: string): void {
    const left = this.places.get(operationId) ?? [];
    this.places.delete(operationId);
    const next = new Set<string>();
    for (const line of left) {
      const waiting = this.queues.get(line) ?? [];
      const others = waiting.filter((other) => other !== operationId);
      if (others[0] === undefined) this.queues.delete(line);
      else this.queues.set(line, others);
      if (waiting[0] === operationId && others[0] !== undefined) next.add(others[0]);
    }
    for (const other of next) if (this.isNext(other)) this.called(other);
  }
}

/** Operations of one line wait for each other: on one terminal, about one transaction, in one batch. */
export function queueKeys({ kind, request, terminal, operationId }: OperationRecord): string[] {
  const original = originalIn({ request });
  const about = original === undefined ? [] : [`original ${original}`];
  if (terminal !== undefined) return [...about, `${kind === 'terminal' ? kind : 'batch'} ${terminal.serial_number}`];
  return original === undefined ? [`own ${operationId}`] : about;
}
