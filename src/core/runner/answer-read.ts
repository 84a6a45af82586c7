import { AnswerLostError, InputError, JournalError } from '../base/errors.js';

/**
 * An answer is there, and something failed while it was read or compared. A runner takes an error of the input or of the journal for
 * "nothing was sent", which it was.
 * @throws AnswerLostError in the place of those; any other error as it is
 */
export function asLostAnswer(error: unknown): never {
  const saysUnsent = error instanceof InputError || error instanceof JournalError;
  throw saysUnsent ? new AnswerLostError(error.message, { cause: error }) : error;
}
