import type { CardInput } from '../../model/cards.js';
import type { Operation } from '../../model/vocabulary.js';

/** The terminal's screens, and the cardholder's actions on them. */

export type Stage =
  | 'off'
  | 'idle'
  | 'awaiting-card'
  /** The issuer requires chip and PIN. */
  | 'insert-card'
  | 'keyed-entry'
  /** A keyed entry was abandoned: busy until it is stopped. */
  | 'abandoned'
  | 'pin'
  | 'tip'
  | 'duplicate'
  | 'processing'
  | 'partial'
  | 'signature'
  | 'remove-card'
  | 'printing';

export interface Screen {
  readonly stage: Stage;
  readonly message: string;
  readonly operation?: Operation;
  /** Minor units. */
  readonly amount?: number;
  readonly currency?: string;
  /** The approved part of a partial approval, minor units. */
  readonly approved?: number;
  /** The last attempt was not accepted: a wrong PIN, or an unreadable card. */
  readonly again?: boolean;
  /** The terminal is reversing the payment. */
  readonly reversing?: boolean;
  /** On a tip screen. */
  readonly tip?: {
    percentages: readonly number[];
    enterAmount: boolean;
    skip: boolean;
    header: string;
    footer: string;
  };
  /** Epoch ms at which the prompt times out. */
  readonly endsAt?: number;
}

export type Action =
  | { do: 'present-card'; card?: CardInput }
  /** Fills in and sends the keyed-entry form. */
  | { do: 'key-card'; card?: CardInput }
  | { do: 'enter-pin'; correct: boolean }
  | { do: 'skip-pin' }
  /** One of `percentage`, `amount` (minor units), or neither to skip. */
  | { do: 'choose-tip'; percentage?: number; amount?: number }
  | { do: 'answer'; accept: boolean }
  /** `drawing`: path data of SVG in a field of 120 by 40. */
  | { do: 'sign'; drawing?: string }
  | { do: 'remove-card' }
  | { do: 'cancel' };

export const IDLE: Screen = { stage: 'idle', message: 'Welcome' };
export const OFF: Screen = { stage: 'off', message: '' };
