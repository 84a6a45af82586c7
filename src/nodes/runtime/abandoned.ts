import type { OperationRecord } from '../../core/journal/record.js';

/**
 * Remembers what was open when an environment closed, so that a deploy that takes its journal away is reported. In memory
 * only: the operations themselves are in their journal.
 */

/** The open operations of an environment when it closed, and where their journal is. */
interface Unfinished {
  place: string;
  open: readonly OperationRecord[];
}

/** By environment: unfinished operations that the next environment with the same id may resume. */
const closed = new Map<string, Unfinished>();

/** By environment: unfinished operations that no environment follows, because theirs was removed or cannot be used. */
const abandoned = new Map<string, readonly OperationRecord[]>();

/** An environment closed for a deploy; the next one with its id resumes its operations where it uses the same journal. */
export function noteClosed(environment: string, unfinished: Unfinished): void {
  if (unfinished.open.length > 0) closed.set(environment, unfinished);
}

/** An environment was removed. Returns the warning to log, if any operation was open. */
export function abandon(environment: string, unfinished: Unfinished): string | undefined {
  if (unfinished.open.length === 0) return undefined;
  abandoned.set(environment, unfinished.open);
  return warning(unfinished);
}

/**
 * An environment closed, and its successor cannot be used. Returns the warning to log, once. The unfinished operations stay
 * noted, because the next usable environment may have another journal.
 */
export function abandonClosed(environment: string): string | undefined {
  const unfinished = closed.get(environment);
  return unfinished === undefined || abandoned.has(environment) ? undefined : abandon(environment, unfinished);
}

/** An environment can be used again, and follows its operations. */
export function reclaim(environment: string): void {
  abandoned.delete(environment);
}

export function allAbandoned(): OperationRecord[] {
  return [...abandoned.values()].flat();
}

/** The warning to log when an environment starts with another journal than its predecessor, and that left something open. */
export function journalChangeWarning(environment: string, place: string): string | undefined {
  const unfinished = closed.get(environment);
  closed.delete(environment);
  return unfinished === undefined || unfinished.place === place ? undefined : warning(unfinished);
}

function warning({ place, open }: Unfinished): string {
  return (
    `${open.length} payments are open in the journal in ${place}, and nobody follows them any more: what became of them is ` +
    'told once an environment with the same id uses that journal again'
  );
}
