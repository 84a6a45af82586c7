/** One operation at a time in each line (a terminal, an original transaction), first come first served. */
export class Turns {
  private readonly lines = new Map<string, string[]>();

  /** `called` runs with an operation's id when its turn comes. */
  constructor(private readonly called: (operationId: string) => void) {}

  /** Stands in a line. True when nobody is before it, so that it is the caller's turn at once. */
  join(line: string, operationId: string): boolean {
    const waiting = this.lines.get(line);
    if (waiting === undefined) this.lines.set(line, [operationId]);
    else if (!waiting.includes(operationId)) waiting.push(operationId);
    return this.isNext(line, operationId);
  }

  /** Whether it is an operation's turn. */
  isNext(line: string, operationId: string): boolean {
    return this.lines.get(line)?.[0] === operationId;
  }

  /** Leaves the line, from wherever in it; without effect when not in it. */
  leave(line: string, operationId: string): void {
    const waiting = this.lines.get(line);
    const place = waiting?.indexOf(operationId) ?? -1;
    if (waiting === undefined || place < 0) return;
    waiting.splice(place, 1);
    const [next] = waiting;
    if (next === undefined) this.lines.delete(line);
    else if (place === 0) this.called(next);
  }
}
