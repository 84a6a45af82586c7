import type { OperationRecord } from '../../core/journal/record.js';

/**
 * Remembers the journal of an environment that closed, and what was open there, so that a deploy that takes its journal away is
 * reported. In memory only: the operations themselves are in their journal.
 */

/** How many operations a line of the log names. */
const NAMED = 20;

/** The open operations of an environment when it closed, and where their journal is. */
interface Unfinished {
  place: string;
  open: readonly OperationRecord[];
  /** The Node-RED of the environment: there may be several in a process, with environments of the same id. */
  nodeRed: object;
}

/** By environment: its journal, and unfinished operations that the next environment with the same id may resume. */
const closed = new Map<string, Unfinished>();

/** By environment: unfinished operations that no environment follows, because theirs was removed or cannot be used. */
const abandoned = new Map<string, readonly OperationRecord[]>();

/** An environment closed for a deploy; the next one with its id resumes its operations where it uses the same journal. */
export function noteClosed(environment: string, unfinished: Unfinished): void {
  closed.set(environment, unfinished);
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

/**
 * Operations are open in a journal, and no environment has followed them since this process started. Returns whether that is
 * news.
 */
export function abandonFound(environment: string, open: readonly OperationRecord[]): boolean {
  if (open.length === 0 || abandoned.has(environment)) return false;
  abandoned.set(environment, open);
  return true;
}

export function countAbandoned(environment: string): number {
  return abandoned.get(environment)?.length ?? 0;
}

/** An environment can be used again, and follows its operations. */
export function reclaim(environment: string): void {
  abandoned.delete(environment);
}

export function allAbandoned(): OperationRecord[] {
  return [...abandoned.values()].flat();
}

/** The warning to log when an environment starts with another journal than its predecessor. */
export function journalChangeWarning(
  environment: string,
  { place, nodeRed }: Omit<Unfinished, 'open'>,
): string | undefined {
  const unfinished = closed.get(environment);
  closed.delete(environment);
  if (unfinished === undefined || unfinished.place === place) return undefined;
  if (unfinished.open.length > 0) return warning(unfinished);
  return unfinished.nodeRed === nodeRed ? strangersWarning(unfinished.place, place) : undefined;
}

/** The error to log when an environment closes whose journal was removed or replaced while it was open. */
export function journalGone({ place, open }: Pick<Unfinished, 'place' | 'open'>): string {
  const gone =
    `the journal in ${place} was removed or replaced while it was in use, and the next one knows none of its payments: an order ` +
    'that is sent again is charged again, its idempotency key notwithstanding';
  if (open.length === 0) return gone;
  return `${gone}. ${open.length} payments were open there, and nobody follows them: look at ${named(open)}`;
}

/** The ids of operations, which are their first references too. */
export function named(open: readonly OperationRecord[]): string {
  const ids = open.slice(0, NAMED).map(({ operationId }) => operationId);
  return [...ids, ...(open.length > NAMED ? [`and ${open.length - NAMED} more`] : [])].join(', ');
}

function strangersWarning(before: string, place: string): string {
  return (
    `payments are recorded in the journal in ${place} from now on, and no longer in ${before}: an order that only the earlier ` +
    'journal knows is charged again if it is sent again, its idempotency key notwithstanding'
  );
}

function warning({ place, open }: Unfinished): string {
  return (
    `${open.length} payments are open in the journal in ${place}, and nobody follows them any more: what became of them is ` +
    'told once an environment with the same id uses that journal again'
  );
}
