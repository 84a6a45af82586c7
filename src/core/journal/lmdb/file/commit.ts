import type { Key, RootDatabase } from 'lmdb';
import { JournalError } from '../../../base/errors.js';
import { TransientSet } from '../../../base/transient.js';
import { noteChange } from './exit.js';

type Root = Pick<RootDatabase<string, Key>, 'transaction' | 'resetReadTxn' | 'doesExist' | 'close'>;

/** A commit that LMDB has not answered. */
interface Pending {
  refuse: (error: JournalError) => void;
  /** Resolves or rejects once it is answered, or refused. */
  change: Promise<unknown>;
}

const pending = new WeakMap<Root, TransientSet<Pending>>();
/** Files that LMDB closes: if one is read then, LMDB throws from a timer, which ends the process. */
const closing = new WeakSet<Root>();
/** Files that LMDB does not touch any more. */
const failures = new WeakMap<Root, JournalError>();
/** Folders of such files. LMDB gives the same file out again for as long as the process lives. */
const failed = new Map<string, JournalError>();

/**
 * Runs `write` in a transaction of its own, and resolves with what it returns once that is synced to the disk.
 * `write` must be synchronous, and may throw only before its first write.
 * @param folder named in the error
 */
export function commit<T>(root: Root, folder: string, write: () => T): Promise<T> {
  const failure = failures.get(root);
  if (failure !== undefined) return Promise.reject(failure);
  const waiting = pending.get(root) ?? new TransientSet<Pending>();
  pending.set(root, waiting);
  const begun = begin(root, write);
  const noteAnswer = noteChange();
  let refuse: (error: JournalError) => void = () => undefined;
  let forget = (): void => undefined;
  // One promise for each change, whatever becomes of it: every payment waits for several.
  const change = new Promise<T>((resolve, reject) => {
    const answer = (settle: () => void): void => {
      forget();
      noteAnswer();
      settle();
    };
    refuse = (error) => answer(() => reject(error));
    begun.then(
      (value) => answer(() => resolve(value)),
      (error) => answer(() => reject(refusalOf(root, folder, error))),
    );
  });
  forget = waiting.add({ refuse, change });
  return change;
}

/**
 * After a write of a file's first page has failed, LMDB refuses whatever is asked of the file, and leaves commits without an
 * answer.
 * @throws JournalError in that state
 */
export function mustAnswer(root: Root): void {
  const failure = failures.get(root);
  if (failure !== undefined) throw failure;
}

/** As {@link mustAnswer}, for a folder whose file this process has had open before. @throws JournalError */
export function mustNotHaveFailed(folder: string): void {
  const failure = failed.get(folder);
  if (failure !== undefined) throw failure;
}

/**
 * Closes a file once its commits are answered. One that LMDB does not touch any more would never be closed, and stays open as
 * long as the process lives.
 */
export async function closeRoot(root: Root, folder: string): Promise<void> {
  noteFailure(root, folder);
  await Promise.allSettled([...(pending.get(root) ?? [])].map(({ change }) => change));
  noteFailure(root, folder);
  if (failures.has(root)) return;
  closing.add(root);
  await root.close();
}

/** What LMDB refuses at once is refused as what it refuses later. */
function begin<T>(root: Root, write: () => T): Promise<T> {
  try {
    return root.transaction(write);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Whether LMDB still reads the file. */
function answers(root: Root): boolean {
  try {
    root.resetReadTxn();
    root.doesExist('meta');
    return true;
  } catch {
    return false;
  }
}

/** Notes it where LMDB reads the file no more. */
function noteFailure(root: Root, folder: string): void {
  if (failures.has(root) || closing.has(root) || answers(root)) return;
  const failure = new JournalError(
    `the journal in ${folder} cannot be used any more: its disk refused a write of the first page. Check the disk, and restart Node-RED`,
  );
  failures.set(root, failure);
  failed.set(folder, failure);
  for (const { refuse } of pending.get(root) ?? []) refuse(failure);
}

function refusalOf(root: Root, folder: string, error: unknown): JournalError {
  const refusal = cannotWrite(folder, error);
  if (isFailedCommit(error)) noteFailure(root, folder);
  return failures.get(root) ?? refusal;
}

function cannotWrite(folder: string, error: unknown): JournalError {
  if (error instanceof JournalError) return error;
  const text = `the journal in ${folder} cannot be written`;
  if (!isFailedCommit(error)) return new JournalError(`${text}: ${String(error)}`, { cause: error });
  // The error carries a second promise, which nobody else handles.
  error.commitError.catch(() => undefined);
  return new JournalError(`${text}: is the disk full?`, { cause: error });
}

function isFailedCommit(error: unknown): error is { commitError: Promise<never> } {
  return error instanceof Error && 'commitError' in error && error.commitError instanceof Promise;
}
