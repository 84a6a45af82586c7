import type { Signal } from '../../base/abort.js';
import { GLANCE_WAIT, STATUS_LAG } from '../../base/timings.js';
import type { OperationRecord, TerminalRecord } from '../../journal/record.js';
import { isTooMuchBack } from '../../lifecycle/chain/refunded.js';
import type { Entry } from '../../lifecycle/chain/shape.js';
import { soughtOnTerminal } from '../../lifecycle/chain/sought.js';
import { chainReferenceOf } from '../../original/chain-reference.js';
import { sleep } from '../../platform/sleep.js';
import { soon } from '../../platform/soon.js';
import { lastChange, mayHaveMoved } from '../last-change.js';
import type { RunnerContext } from '../runner-context.js';

export interface Looking {
  /** Ends it where the request is not to leave any more. */
  withdraw: Signal;
  /** Hears why nothing was shown. */
  note: (error: unknown) => void;
}

/**
 * Whether the chain of the payment is looked at before a terminal is asked to give something back. Only before the first attempt,
 * and in the life of the process that recorded it: what shows later may be its own.
 */
export function looksFirst(record: OperationRecord): boolean {
  if (record.kind !== 'terminal') return false;
  const { state, references } = record;
  if (state.phase === 'pausing' || references.length > 1 || state.restoredAt !== undefined) return false;
  const { what } = soughtOnTerminal(record.request) ?? {};
  return (what === 'refund' || what === 'reversal') && chainReferenceOf(record) !== undefined;
}

/** Whether more would go back than was taken, as far as the status service says so soon. Whatever fails shows nothing. */
export async function givesTooMuch(
  record: TerminalRecord,
  { client, clock, journal }: Pick<RunnerContext, 'client' | 'clock' | 'journal'>,
  { withdraw, note }: Looking,
): Promise<boolean> {
  let chain: readonly Entry[] = [];
  const changedAt = await lastChange(journal, record, mayHaveMoved).catch(note);
  // What the journal has seen go back has to show beside what another system gave back.
  const lag = (changedAt ?? 0) + STATUS_LAG - clock.now();
  if (lag > 0) await sleep(clock, Math.min(lag, STATUS_LAG), withdraw);
  if (withdraw.aborted) return false;
  const asked = client.status.all(chainReferenceOf(record) ?? '', { signal: withdraw }).then((shown) => {
    chain = shown;
  }, note);
  await soon(clock, GLANCE_WAIT, asked);
  return isTooMuchBack(soughtOnTerminal(record.request), chain);
}
