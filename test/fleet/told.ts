import type { Heard } from '../truth/kill/oracle.js';

/** One line of a witness: what left a payment node of a replica, or came to Catch there. Amounts in minor units. */
export interface Told extends Heard {
  /** The message: one try of a client to place an order. */
  entry: string;
  /** The replica, and which of its lives. */
  life: string;
  operationId?: string;
  reference?: string;
  /** It is about the first message of the order. */
  repeated?: boolean;
  hold?: number;
}
