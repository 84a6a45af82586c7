import { AnswerLostError, InputError, JournalError } from '../base/errors.js';

/**
 * For what fails once an answer is there: the request was sent. An error of the input or of the journal would tell the runner that it was
 * not.
 * @throws AnswerLostError in the place of those; any other error as it is
 */
export function asLostAnswer(error: unknown): never {
  const saysUnsent = error instanceof InputError || error instanceof JournalError;
  throw saysUnsent ? new AnswerLostError(error.message, { cause: error }) : error;
}
