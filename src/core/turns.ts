import type { TerminalAddress } from './operation.js';

/** One operation at a time per terminal, first come first served. */
export class Turns {
  private readonly lines = new Map<string, string[]>();

  /** `called` runs with an operation's id when its turn comes. */
  constructor(private readonly called: (operationId: string) => void) {}

  /** Stands in line. True when the terminal is free, so that it is the caller's turn at once. */
  join(terminal: TerminalAddress, operationId: string): boolean {
    const line = this.lines.get(terminal.serial_number);
    if (line === undefined) {
      this.lines.set(terminal.serial_number, [operationId]);
      return true;
    }
    if (!line.includes(operationId)) line.push(operationId);
    return this.isNext(terminal, operationId);
  }

  /** Whether it is an operation's turn. */
  isNext(terminal: TerminalAddress, operationId: string): boolean {
    return this.lines.get(terminal.serial_number)?.[0] === operationId;
  }

  /** Leaves the line, from wherever in it; without effect when not in it. */
  leave(terminal: TerminalAddress, operationId: string): void {
    const line = this.lines.get(terminal.serial_number);
    const place = line?.indexOf(operationId) ?? -1;
    if (line === undefined || place < 0) return;
    line.splice(place, 1);
    const [next] = line;
    if (next === undefined) this.lines.delete(terminal.serial_number);
    else if (place === 0) this.called(next);
  }
}
