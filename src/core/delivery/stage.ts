import { withoutAbsent } from '../base/objects.js';
import { CARD_WINDOW, RECOVERY_LIMIT } from '../base/timings.js';
import type { BackOfficeRecord, OperationRecord, TerminalRecord } from '../journal/record.js';
import { tipRepeatsAt } from '../lifecycle/back-office/early-tip.js';
import { countedFrom, deadlineOf } from '../lifecycle/terminal/state.js';
import type { ProgressPayload, Stage } from './payload.js';

/**
 * What a flow may show of an operation; undefined once it has a result.
 * @param isQueued the request waits for the rate limit
 * @param now epoch ms
 */
export function progressPayload(record: OperationRecord, isQueued: boolean, now: number): ProgressPayload | undefined {
  if (record.state.reported !== undefined) return undefined;
  const { stage, until } =
    (record.kind === 'terminal' ? onTerminal(record, isQueued, now) : inBackOffice(record, isQueued)) ?? {};
  if (stage === undefined) return undefined;
  return withoutAbsent({
    operationId: record.operationId,
    idempotencyKey: record.origin.key?.text,
    terminal: record.terminal && { ...record.terminal },
    stage,
    secondsLeft: until === undefined ? undefined : Math.max(0, Math.ceil((until - now) / 1000)),
  });
}

/** A stage, and when it ends at the latest, epoch ms. */
interface At {
  stage: Stage;
  until?: number;
}

function onTerminal({ state }: TerminalRecord, isQueued: boolean, now: number): At | undefined {
  const limit = Math.min(countedFrom(state) + RECOVERY_LIMIT, state.toldBy ?? Number.POSITIVE_INFINITY);
  switch (state.phase) {
    case 'queued':
    case 'pausing':
      return { stage: 'queued' };
    case 'sending':
      return { stage: isQueued ? 'queued' : 'sending' };
    case 'waiting':
      if (state.stopWanted) return { stage: 'stopping', until: limit };
      return isInDoubt(state, now)
        ? { stage: 'checking', until: limit }
        : { stage: 'waiting', until: deadlineOf(state) };
    case 'reversing':
      return { stage: 'reversing', until: limit };
    default:
      return undefined;
  }
}

function inBackOffice({ state }: BackOfficeRecord, isQueued: boolean): At | undefined {
  const { phase, lostAt } = state;
  // Until the first answer is lost it is certain that nothing is open.
  if (lostAt === undefined) {
    if (phase === 'sending' && !isQueued) return { stage: 'sending' };
    return phase === 'preparing' || phase === 'sending' || phase === 'retrying' ? { stage: 'queued' } : undefined;
  }
  const isOpen = phase === 'sending' || phase === 'retrying' || phase === 'reconciling' || phase === 'preparing';
  return isOpen ? { stage: 'checking', until: tipRepeatsAt(state) ?? lostAt + RECOVERY_LIMIT } : undefined;
}

/** The answer to the request never came, the terminal does not know, or the cardholder should be done by now. */
export function isInDoubt({ terminal, resultId, attemptAt }: TerminalRecord['state'], now: number): boolean {
  const isAsked = terminal === undefined || terminal.meaning === 'partial';
  return !isAsked || resultId === undefined || now >= attemptAt + CARD_WINDOW;
}
