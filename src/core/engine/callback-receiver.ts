import { readableResult, saysHowItEnded } from '../api/schema/transaction-result.js';
import { isCallbackToken } from '../base/callback.js';
import { parseJson } from '../base/json.js';
import { isObject, textOf } from '../base/objects.js';
import { withoutSecrets } from '../base/privacy/redact.js';
import type { Journal } from '../journal/journal.js';
import type { OperationRecord, TerminalRecord } from '../journal/record.js';
import { movesMoney } from '../operation/kinds.js';
import { claimsApproval, isDescribed } from '../operation/result-meaning.js';
import { type Evidence, resultEvidence, unreadableEvidence } from '../runner/terminal/result-evidence.js';
import { TerminalRunner } from '../runner/terminal/terminal-runner.js';
import type { ActiveOperations } from './active-operations.js';
import type { EngineOptions } from './options.js';

/**
 * What became of a callback: `taken` (200) once the journal has it, because the service does not call again then; `not-found`
 * (404); `unavailable` (503), so that the service calls again.
 */
export type CallbackAnswer = 'taken' | 'not-found' | 'unavailable';

/** Takes results as the service calls them back (spec: Events). */
export class CallbackReceiver {
  constructor(
    private readonly options: Pick<
      EngineOptions,
      'apiKey' | 'secondApiKey' | 'environment' | 'journal' | 'callback' | 'log'
    >,
    private readonly operations: ActiveOperations,
  ) {}

  /** A forged call costs no look-up, and changes nothing. */
  receive(attemptId: string, token: string | undefined, body: string): Promise<CallbackAnswer> {
    if (this.operations.isStopped) return Promise.resolve('unavailable');
    const result = callbackOf(this.options, attemptId, token, body);
    if (result === undefined) return Promise.resolve('not-found');
    return this.take(attemptId, result).then((answer) => answerTo(this.options, attemptId, result, answer));
  }

  /** Settles from a callback that {@link callbackOf} has read, perhaps in another process. */
  async take(attemptId: string, body: Record<string, unknown>): Promise<CallbackAnswer> {
    if (this.operations.isStopped) return 'unavailable';
    try {
      return await this.settle(attemptId, body);
    } catch (error) {
      this.options.log?.('error', `callback: ${String(error)}`);
      return 'unavailable';
    }
  }

  private async settle(attemptId: string, body: Record<string, unknown>): Promise<CallbackAnswer> {
    const known = this.operations.get(attemptId);
    const runner = known instanceof TerminalRunner ? known : await this.runnerOf(attemptId);
    if (runner === 'not-found' || runner === 'unavailable') return runner;
    try {
      const evidence = await evidenceIn(runner.record, body, attemptId, this.options.journal);
      if (evidence === undefined) return 'not-found';
      // The journal knows more of it than this process: another one leads by now.
      if (!runner.record.references.includes(attemptId)) return 'unavailable';
      this.operations.noteCallback();
      return (await runner.enqueueDurably(evidence)) ? 'taken' : 'unavailable';
    } finally {
      void this.operations.forgetClosed(runner);
    }
  }

  private async runnerOf(attemptId: string): Promise<TerminalRunner | 'not-found' | 'unavailable'> {
    const [record] = await this.options.journal.find({ reference: attemptId }, 1);
    if (this.operations.isStopped) return 'unavailable';
    if (record === undefined || record.environment !== this.options.environment) return 'not-found';
    if (record.kind !== 'terminal') return 'not-found';
    if (record.closed) return this.operations.runnerOfClosed(record);
    const runner = this.operations.get(record.operationId) ?? (await this.operations.resume(record));
    return runner instanceof TerminalRunner ? runner : 'unavailable';
  }
}

/**
 * The result in a call; undefined where it is forged. The token travels beside the body, so a call whose body nobody can read is
 * true all the same, and says that the attempt has ended: an object that does not say how.
 */
export function callbackOf(
  { apiKey, secondApiKey, callback }: Pick<EngineOptions, 'apiKey' | 'secondApiKey' | 'callback'>,
  attemptId: string,
  token: string | undefined,
  body: string,
): Record<string, unknown> | undefined {
  const isTrue = callback !== undefined && isCallbackToken(callback, attemptId, token);
  return isTrue ? objectIn(withoutSecrets(body, [apiKey, secondApiKey, token])) : undefined;
}

/** What spoilt a result on its way may spare the next copy of it: the service is to call again. */
export function answerTo(
  { log }: Pick<EngineOptions, 'log'>,
  attemptId: string,
  body: Record<string, unknown>,
  answer: CallbackAnswer,
): CallbackAnswer {
  if (answer !== 'taken' || saysHowItEnded(body)) return answer;
  log?.('warn', `callback: the result of ${attemptId} cannot be read; the service is asked to send it again`);
  return 'unavailable';
}

/** Whether a result is about an operation, as far as the journal can say. @throws JournalError */
export async function isAbout(
  record: OperationRecord | undefined,
  environment: string,
  body: Record<string, unknown>,
  attemptId: string,
  journal: Pick<Journal, 'find'>,
): Promise<boolean> {
  if (record?.kind !== 'terminal' || record.environment !== environment) return false;
  return (await evidenceIn(record, body, attemptId, journal)) !== undefined;
}

/** The token proves which operation a callback is about, even where its body cannot be read. @throws JournalError */
async function evidenceIn(
  record: TerminalRecord,
  body: Record<string, unknown>,
  attemptId: string,
  journal: Pick<Journal, 'find'>,
): Promise<Evidence | undefined> {
  const result = readableResult(body);
  if (result !== undefined) return resultEvidence(record, result, 'callback', journal, { reference: attemptId });
  const named = textOf(body.transactionReference);
  const isNamed = record.state.traceable && named !== '' && named !== attemptId;
  const [another] = isNamed ? await journal.find({ reference: named }, 1) : [];
  return another !== undefined
    ? undefined
    : unreadableEvidence('callback', {
        reference: attemptId,
        isStrange: isStrange(body),
        claims: movesMoney(record.operation) && claimsApproval(textOf(body.finStatus)),
      });
}

/** An approval that cannot be read is no stranger: it says that it may have charged. */
function isStrange(body: Record<string, unknown>): boolean {
  const finStatus = textOf(body.finStatus);
  return !saysHowItEnded(body) || (finStatus !== '' && !isDescribed({ finStatus }));
}

function objectIn(body: string): Record<string, unknown> {
  try {
    const parsed = parseJson(body.startsWith(BYTE_ORDER_MARK) ? body.slice(1) : body);
    return isObject(parsed) && !Array.isArray(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const BYTE_ORDER_MARK = '\ufeff';
