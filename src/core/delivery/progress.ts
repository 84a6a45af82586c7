import { CARD_WINDOW, RECOVERY_LIMIT } from '../base/timings.js';
import type { BackOfficeRecord, OperationRecord, TerminalRecord } from '../journal/record.js';
import type { Progress } from './listener.js';

/** What a status line may say of an operation; undefined where the flow has been told and nothing is awaited. */
export function progressOf(record: OperationRecord, now: number): Progress | undefined {
  return record.kind === 'terminal' ? terminalProgress(record, now) : backOfficeProgress(record);
}

function backOfficeProgress({ operationId, state }: BackOfficeRecord): Progress | undefined {
  switch (state.phase) {
    case 'preparing':
      return { operationId, stage: 'queued' };
    case 'sending':
      return { operationId, stage: state.lostAt === undefined ? 'sending' : 'checking' };
    case 'retrying':
    case 'reconciling':
      return { operationId, stage: 'checking' };
    default:
      return undefined;
  }
}

function terminalProgress({ operationId, state, references }: TerminalRecord, now: number): Progress | undefined {
  const stage = stageOf(state, references.length, now);
  if (stage !== 'checking') return stage && { operationId, stage };
  const secondsLeft = Math.max(0, Math.ceil((state.attemptAt + RECOVERY_LIMIT - now) / 1000));
  return { operationId, stage, secondsLeft };
}

function stageOf(state: TerminalRecord['state'], attempts: number, now: number): Progress['stage'] | undefined {
  switch (state.phase) {
    case 'queued':
      return state.hadTurn ? 'queued' : 'terminal-busy';
    case 'pausing':
      return 'terminal-busy';
    case 'sending':
      return attempts > 1 ? 'terminal-busy' : 'sending';
    case 'waiting':
      if (state.stopWanted) return state.stopNotPossible ? 'cancel-not-possible' : 'stopping';
      if (state.terminal?.meaning === 'partial') return 'partial';
      return isInDoubt(state, now) ? 'checking' : 'waiting';
    case 'reversing':
      return 'reversing';
    case 'listening':
    case 'watching':
    case 'closed':
      return undefined;
  }
}

/** The cardholder should be done by now, or the answer to the request never came. */
function isInDoubt({ terminal, resultId, attemptAt }: TerminalRecord['state'], now: number): boolean {
  return terminal !== undefined || resultId === undefined || now >= attemptAt + CARD_WINDOW;
}
