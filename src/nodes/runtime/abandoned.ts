import type { OperationRecord } from '../../core/journal/record.js';

/**
 * Remembers the journal of an environment that closed, and what was open there, so that a deploy that takes its journal away is
 * reported. In memory only: the operations themselves are in their journal.
 */

/** How many operations a line of the log names. */
const NAMED = 20;

/** What becomes of an order that the journal does not know. */
export const CHARGED_AGAIN = 'is charged again if it is sent again, its idempotency key notwithstanding';

/** The open operations of an environment when it closed, and where their journal is. */
interface Unfinished {
  place: string;
  open: readonly OperationRecord[];
  /** The Node-RED of the environment: there may be several in a process, with environments of the same id. */
  nodeRed: object;
}

/** By environment: its journal, and unfinished operations that the next environment with the same id may resume. */
const closed = new Map<string, Unfinished>();

/** By environment, and by the name of their journal: operations that nobody follows. */
const abandoned = new Map<string, Map<string, readonly OperationRecord[]>>();

/**
 * By environment, and by the name of a journal: the journal that the environment used in place of that one when a person was told;
 * undefined where it used none.
 */
const told = new Map<string, Map<string, string | undefined>>();

/** An environment closed for a deploy; the next one with its id resumes its operations where it uses the same journal. */
export function noteClosed(environment: string, unfinished: Unfinished): void {
  closed.set(environment, unfinished);
}

/** An environment was removed. Returns the warning to log, if any operation was open. */
export function abandon(environment: string, unfinished: Unfinished): string | undefined {
  if (unfinished.open.length === 0) return undefined;
  abandonFound(environment, unfinished, undefined);
  return warning(unfinished);
}

/**
 * An environment closed, and its successor cannot be used. Returns the warning to log, once. The unfinished operations stay
 * noted, because the next usable environment may have another journal.
 */
export function abandonClosed(environment: string): string | undefined {
  const unfinished = closed.get(environment);
  if (unfinished === undefined || !isNews(environment, unfinished.place, undefined)) return undefined;
  return abandon(environment, unfinished);
}

/**
 * Operations are open in a journal, and nobody follows them. Returns whether that is news.
 * @param used the journal that the environment uses in place of that one, if it runs
 */
export function abandonFound(
  environment: string,
  { place, open }: Omit<Unfinished, 'nodeRed'>,
  used: string | undefined,
): boolean {
  abandoned.set(environment, new Map(abandoned.get(environment)).set(place, open));
  return noteTold(environment, place, used);
}

export function countAbandoned(environment: string): number {
  return of(environment).length;
}

/** An environment starts with a journal. What nobody follows in another one is found once the flows have started. */
export function reclaim(environment: string, place: string): void {
  abandoned.delete(environment);
  told.get(environment)?.delete(place);
}

export function allAbandoned(): OperationRecord[] {
  return [...abandoned.keys()].flatMap(of);
}

/** The warning to log when an environment starts with another journal than its predecessor. */
export function journalChangeWarning(
  environment: string,
  { place, nodeRed }: Omit<Unfinished, 'open'>,
): string | undefined {
  const unfinished = closed.get(environment);
  closed.delete(environment);
  if (unfinished === undefined || unfinished.place === place) return undefined;
  const isSame = unfinished.nodeRed === nodeRed;
  if (unfinished.open.length === 0) return isSame ? strangersFound(environment, unfinished.place, place) : undefined;
  if (isSame) abandonFound(environment, unfinished, place);
  return warning(unfinished);
}

/**
 * An environment that begins with a journal has recorded payments in the one `before`, none of which is open. Returns the warning
 * to log, once.
 */
export function strangersFound(environment: string, before: string, place: string): string | undefined {
  return noteTold(environment, before, place) ? strangersWarning(before, place) : undefined;
}

/**
 * An environment begins with a journal that has payments of environments which are gone. Returns the warning to log, once.
 * @param gone the ids of those
 */
export function predecessorsFound(environment: string, place: string, gone: readonly string[]): string | undefined {
  const ids = gone.join(', ');
  if (!noteTold(environment, `${place}: ${ids}`, place)) return undefined;
  return (
    `the journal in ${place} has payments of environments that the flows do not have any more (id ${ids}), and none of this one. If it takes ` +
    `the place of one of those, give it that id: an order of an earlier environment ${CHARGED_AGAIN}`
  );
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

/** Returns whether that is news. */
function noteTold(environment: string, place: string, used: string | undefined): boolean {
  if (!isNews(environment, place, used)) return false;
  told.set(environment, new Map(told.get(environment)).set(place, used));
  return true;
}

/** One who uses another journal now may take that for the cure. */
function isNews(environment: string, place: string, used: string | undefined): boolean {
  const before = told.get(environment);
  return before === undefined || !before.has(place) || before.get(place) !== used;
}

function of(environment: string): OperationRecord[] {
  return [...(abandoned.get(environment)?.values() ?? [])].flat();
}

function strangersWarning(before: string, place: string): string {
  return (
    `payments are recorded in the journal in ${place} from now on, and no longer in ${before}: ` +
    `an order that only the earlier journal knows ${CHARGED_AGAIN}`
  );
}

function warning({ place, open }: Unfinished): string {
  return (
    `${open.length} payments are open in the journal in ${place}, and nobody follows them any more: what became of them is ` +
    'told once an environment with the same id uses that journal again'
  );
}
