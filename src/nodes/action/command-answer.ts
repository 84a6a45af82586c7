import type { TerminalAddress } from '../../core/api/schema/fields.js';
import { AnswerLostError, InputError, PaymentError, RefusedError } from '../../core/base/errors.js';
import type { Answer } from './action-node.js';
import type { CommandAnswer } from './answers.js';

/**
 * Turns the outcome of a command into an answer. A refusal leaves by the second output, and so does a ping without an
 * answer, because a ping changes nothing. A command whose answer was lost may have been executed, and leaves by the third.
 * A mistake in the flow or the settings is thrown, and goes to Catch.
 */
export async function answered(
  operation: string,
  terminal: TerminalAddress,
  ask: () => Promise<Pick<CommandAnswer, 'device' | 'result'>>,
): Promise<Answer> {
  const common = { operation, moneyMoved: 'no', terminal } as const;
  try {
    return { exit: 'done', payload: { ...common, outcome: 'completed', ...(await ask()) } };
  } catch (error) {
    if (!(error instanceof PaymentError) || error instanceof InputError || isMistake(error)) throw error;
    const isRefused = error instanceof RefusedError;
    const code = (isRefused ? error.serviceCode : undefined) ?? error.code;
    const failure = { code, name: error.name, message: error.message };
    if (error instanceof AnswerLostError && operation !== 'pingDevice') {
      return { exit: 'needs-attention', payload: { ...common, outcome: 'unknown', error: failure } };
    }
    return { exit: 'not-done', payload: { ...common, outcome: isRefused ? 'refused' : 'failed', error: failure } };
  }
}

function isMistake(error: PaymentError): boolean {
  return error instanceof RefusedError && (error.status === 403 || error.status === 422);
}
