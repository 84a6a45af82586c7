import type { OperationRecord } from '../../core/journal/record.js';

/** What was open when an environment closed: a deploy that takes its journal away must not do so in silence. */

interface Left {
  folder: string;
  open: readonly OperationRecord[];
}

/** By environment. */
const leftBehind = new Map<string, Left>();

export function leaveBehind(environment: string, left: Left): void {
  if (left.open.length > 0) leftBehind.set(environment, left);
}

/**
 * Open operations of environments that were removed, or cannot be used, as they were then. In memory alone: they are in
 * their journal.
 */
const abandoned = new Map<string, readonly OperationRecord[]>();

/** Nobody follows them from now on. Returns what is to be said of that. */
export function abandon(environment: string, left: Left): string | undefined {
  if (left.open.length === 0) return undefined;
  abandoned.set(environment, left.open);
  return warningOf(left);
}

/**
 * An environment closed, and what comes after it cannot be used. What is left stays known: the one that can be used
 * again may have another journal. Returns what is to be said, once.
 */
export function abandonLeft(environment: string): string | undefined {
  const left = leftBehind.get(environment);
  return left === undefined || abandoned.has(environment) ? undefined : abandon(environment, left);
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

function warningOf({ folder, open }: Left): string {
  return (
    `${open.length} payments are open in the journal in ${folder}, and nobody follows them any more: what became of them is ` +
    'told once an environment with the same id uses that journal again'
  );
}
