import type { Key, RootDatabase } from 'lmdb';
import { JournalError } from '../../../base/errors.js';

/**
 * Runs `write` in a transaction of its own, and resolves with what it returns once that is synced to the disk.
 * `write` must be synchronous, and may throw only before its first write.
 * @param folder named in the error
 */
export async function commit<T>(root: RootDatabase<string, Key>, folder: string, write: () => T): Promise<T> {
  try {
    return await root.transaction(write);
  } catch (error) {
    throw cannotWrite(folder, error);
  }
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
