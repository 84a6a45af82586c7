import { types } from 'node:util';
import { InputError } from '../../core/base/errors.js';

/**
 * What was thrown, as an Error. A property of a message may throw anything, even nothing; a function node's own errors are not of
 * the class that this process has.
 */
export function errorOf(thrown: unknown): Error {
  const isError = thrown instanceof Error || types.isNativeError(thrown);
  if (isError && isReadable(thrown)) return thrown;
  const got = isError ? 'an error whose text cannot be read' : thrown;
  return new InputError('msg', 'properties that can be read without an error', got);
}

/** Whether Catch and the status can say what is wrong: a flow may have changed its error. */
function isReadable(error: Error): boolean {
  try {
    return typeof error.message === 'string' && error.toString() !== '';
  } catch {
    return false;
  }
}
