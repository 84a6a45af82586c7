import type { TransportOptions } from '../api/transport/transport.js';
import type { CallbackSettings } from '../base/callback.js';
import type { NewId } from '../base/seams.js';
import type { Heard } from '../delivery/heard.js';
import type { KeptReceipts } from '../delivery/kept-receipts.js';
import type { Journal } from '../journal/journal.js';
import type { OperationRecord } from '../journal/record.js';
import type { TurnQueues } from './turns/turn-queues.js';

/** A message whose flow has heard that nobody knows, and nothing since. */
export interface Unanswered extends Pick<OperationRecord, 'operationId' | 'operation' | 'request' | 'origin'> {
  /** The `operationId` of the order that the message repeats. Absent: it repeats none, or its key has to tell. */
  first?: string;
}

export interface EngineOptions extends TransportOptions {
  /** Id of the environment; the journal keeps operations apart by it. */
  environment: string;
  newId: NewId;
  journal: Journal;
  /** One queue for each terminal, shared by all engines of this process; absent: its own. */
  turns?: TurnQueues;
  /** Where results are called back to; without it everything works by polling. */
  callback?: CallbackSettings;
  /** `unanswered` of the engine or the door that this process has ended before, because another one leads or it leads now. */
  unanswered?: readonly Unanswered[];
  /** What earlier engines and doors of this process have told. Absent: there were none. */
  heard?: Heard;
  /** Absent: results delivered after a restart have receipts only where those are addresses. */
  receipts?: KeptReceipts;
}
