import type { FaultKind } from '../infra/faults.js';
import type { Logged } from './log.js';

/** One request with its response. */
export interface RequestEntry {
  /** Epoch ms. */
  at: number;
  method: string;
  path: string;
  body: string;
  status: number;
}

/** One callback attempt, logged when its outcome is known. */
export interface CallbackEntry {
  /** Epoch ms at which it was sent. */
  at: number;
  serial: string;
  resultId: string;
  /** Counts from 1; starts over when the terminal restarts or has a later result to deliver. */
  attempt: number;
  acknowledged: boolean;
  fault?: FaultKind;
  /** Epoch ms of the next attempt; absent if there is none. */
  nextAt?: number;
  body: string;
}

export type LoggedRequest = Logged<RequestEntry>;
export type LoggedCallback = Logged<CallbackEntry>;
