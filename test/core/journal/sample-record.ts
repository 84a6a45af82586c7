import type { Journal } from '../../../src/core/journal/journal.js';
import type { OperationRecord, RepeatRecord, TerminalRecord } from '../../../src/core/journal/record.js';

let drawn = 0;

/** A UUID v4 of its own at every call. */
export function sampleId(): string {
  drawn++;
  return `00000000-0000-4000-8000-${String(drawn).padStart(12, '0')}`;
}

/** A sale that waits for its terminal. */
export function sampleRecord(changes: Partial<TerminalRecord> = {}): TerminalRecord {
  const operationId = changes.operationId ?? sampleId();
  const policies = { busyWaitMs: 0, lateApproval: 'report', partialApproval: 'accept' } as const;
  const createdAt = changes.createdAt ?? 1_000;
  return {
    // Comes first, as in a record that the engine makes.
    operationId,
    kind: 'terminal',
    environment: 'environment-1',
    service: 'service-1',
    owner: 'engine-1',
    operation: 'sale',
    terminal: { serial_number: '0821234567', terminal_type: 'A920' },
    request: {
      operation: 'sale',
      serial_number: '0821234567',
      terminal_type: 'A920',
      amount: '1000',
      currency: 'EUR',
    },
    policies,
    origin: { node: 'node-1', message: { _msgid: 'm1', payload: { amount: '10.00' } } },
    createdAt,
    updatedAt: createdAt,
    references: [operationId],
    state: {
      phase: 'sending',
      operation: 'sale',
      policies,
      traceable: true,
      startedAt: createdAt,
      attemptAt: createdAt,
    },
    timeline: [{ at: createdAt, event: 'recorded' }],
    closed: false,
    ...changes,
  };
}

/** Records without what the journal sets itself, to compare them with what it was given. */
export function given(records: readonly OperationRecord[]): OperationRecord[] {
  return records.map(({ sequence: _, fence: __, age: ___, ...operation }) => operation as OperationRecord);
}

/** A sale that the journal has. */
export async function recorded(journal: Journal, owner = 'engine-1'): Promise<ReturnType<typeof sampleRecord>> {
  const operation = sampleRecord({ owner });
  await journal.record(operation);
  return operation;
}

/** A message that repeats the order of operation `o-1`. */
export function sampleRepeat(changes: Partial<RepeatRecord> = {}): RepeatRecord {
  const origin = { node: 'node-1', message: { _msgid: 'm2' } };
  return {
    kind: 'repeat',
    id: sampleId(),
    environment: 'environment-1',
    first: 'o-1',
    origin,
    createdAt: 1,
    ...changes,
  };
}
