import type { FaultKind } from '../infra/faults.js';
import type { Logged } from './log.js';

/** One request as it was answered. */
export interface RequestEntry {
  /** Epoch ms. */
  at: number;
  method: string;
  path: string;
  body: string;
  status: number;
}

/** One try of a callback, when its end was known. */
export interface CallbackEntry {
  /** Epoch ms at which it left. */
  at: number;
  serial: string;
  resultId: string;
  /** Counts from 1; anew after the terminal was restarted, or has a later result to tell. */
  attempt: number;
  acknowledged: boolean;
  fault?: FaultKind;
  /** Epoch ms of the next try; absent when there is none. */
  nextAt?: number;
  body: string;
}

export type LoggedRequest = Logged<RequestEntry>;
export type LoggedCallback = Logged<CallbackEntry>;
