import type { TerminalAddress } from '../../core/api/schema/fields.js';
import { AnswerLostError, InputError, PaymentError, RefusedError } from '../../core/base/errors.js';
import { reasonIn } from '../../core/delivery/decline-reason.js';
import type { ErrorReport } from '../../core/operation/verdict.js';
import type { Answer } from './action-node.js';
import type { CommandAnswer } from './answers.js';

/**
 * Turns the outcome of a command into an answer. A refusal leaves by the second output, and so does what the terminal says
 * it has not done, and a ping without an answer, because a ping changes nothing. A command whose answer was lost may have been executed, and leaves by the third.
 * A mistake in the flow or the settings is thrown, and goes to Catch.
 */
export async function answered(
  operation: string,
  terminal: TerminalAddress,
  ask: () => Promise<Pick<CommandAnswer, 'device' | 'result' | 'error'>>,
): Promise<Answer> {
  const common = { operation, moneyMoved: 'no', terminal } as const;
  try {
    const said = await ask();
    const isDone = said.error === undefined;
    const payload = { ...common, outcome: isDone ? 'completed' : 'failed', ...said } as const;
    return { exit: isDone ? 'done' : 'not-done', payload };
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

/** Why a terminal has not done it, in its own words. */
export function failureIn(result: Record<string, unknown> = {}): ErrorReport {
  const { code = '', message = '' } = reasonIn('failed', result) ?? {};
  return { code: code || 'FAILED', name: 'Failed', message: message || 'the terminal did not do it' };
}

function isMistake(error: PaymentError): boolean {
  return error instanceof RefusedError && (error.status === 403 || error.status === 422);
}
