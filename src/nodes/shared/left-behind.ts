import type { OperationRecord } from '../../core/operation.js';

/** What was open when an environment closed: a deploy that takes its journal away must not do so in silence. */

interface Left {
  folder: string;
  /** Operations. */
  open: number;
}

/** By environment. */
const leftBehind = new Map<string, Left>();

export function leaveBehind(environment: string, left: Left): void {
  if (left.open > 0) leftBehind.set(environment, left);
}

/** Open operations of environments that were removed, as they were then. In memory alone: they are in their journal. */
const abandoned = new Map<string, readonly OperationRecord[]>();

export function abandon(environment: string, open: readonly OperationRecord[]): void {
  if (open.length > 0) abandoned.set(environment, open);
}

/** An environment is there again, and follows them. */
export function takeBack(environment: string): void {
  abandoned.delete(environment);
}

export function allAbandoned(): OperationRecord[] {
  return [...abandoned.values()].flat();
}

/** What an environment that starts with another journal has to say of the one before it. */
export function warningFor(environment: string, folder: string): string | undefined {
  const left = leftBehind.get(environment);
  leftBehind.delete(environment);
  return left === undefined || left.folder === folder ? undefined : warningOf(left);
}

export function warningOf({ folder, open }: Left): string {
  return (
    `${open} payments are open in the journal in ${folder}, and nobody follows them any more: what became of them is ` +
    'told once an environment with the same id uses that journal again'
  );
}
