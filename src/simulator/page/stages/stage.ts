import type { TerminalView } from '../../control/view.js';
import type { Action } from '../../terminal/session/screen.js';
import type { WalletCard } from '../cardholder/wallet-cards.js';

/** The actions of the keypad on one screen. */
export interface Keys {
  digit?(digit: string): void;
  clear?(): void;
  enter?(): void;
  cancel?(): void;
}

/** One screen of the terminal: its contents and its key actions. */
export interface Stage {
  body: Node[];
  keys: Keys;
}

/** The context of a screen. */
export interface StageContext {
  terminal: TerminalView;
  /** The selected card. */
  card(): WalletCard;
  act(action: Action): void;
}
