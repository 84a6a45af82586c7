import type { CardInput } from '../../model/cards.js';
import type { Operation } from '../../model/vocabulary.js';

/** What a cardholder sees on the terminal, and what one can do there. */

export type Stage =
  | 'off'
  | 'idle'
  | 'awaiting-card'
  /** The issuer wants the card inserted and a PIN. */
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
  /** On a partial approval: what was approved, minor units. */
  readonly approved?: number;
  /** What was done before was not accepted: a wrong PIN, a card that could not be read. */
  readonly again?: boolean;
  /** The terminal takes the payment back. */
  readonly reversing?: boolean;
  /** On a tip screen. */
  readonly tip?: {
    percentages: readonly number[];
    enterAmount: boolean;
    skip: boolean;
    header: string;
    footer: string;
  };
  /** Epoch ms at which the prompt ends by itself. */
  readonly endsAt?: number;
}

export type Action =
  | { do: 'present-card'; card?: CardInput }
  /** The keyed-entry form is filled in and sent. */
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
