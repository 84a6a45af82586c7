import type { Placed } from './customers.js';
import type { Seen } from './service.js';
import type { Told } from './told.js';

/** When something was done, epoch ms. */
export interface Blow {
  kind: 'kill' | 'freeze' | 'restart';
  at: number;
  until: number;
  /** Of a replica: which life. */
  life?: string;
}

/** An operation in the journal once everything has ended. */
export interface Recorded {
  operationId: string;
  order: string;
  entry: string;
  /** Which of the attempts at its order, from 1. A message that waited for its leader may be older than the attempt before it. */
  attempt: number;
  /** When it was first worked on, epoch ms. */
  startedAt: number;
  closed: boolean;
}

/** What everybody knows in the end. */
export interface Evidence {
  orders: readonly Placed[];
  told: readonly Told[];
  recorded: readonly Recorded[];
  /** Messages that repeat an order, and are still in the journal. */
  repeats: readonly string[];
  seen: Seen;
  /** By message: the lives that had it. */
  handed: ReadonlyMap<string, readonly string[]>;
  blows: readonly Blow[];
  /** Requests per second that a key may make. */
  rate: number;
  /** Of the balancer. */
  unavailable: number;
  lost: number;
  /** When the other replicas joined the first, and when the first blow fell. Epoch ms. */
  joinedAt: number;
  struckAt: number;
}
