import type { TerminalView } from '../../control/view.js';
import type { Action } from '../../terminal/session/screen.js';
import type { WalletCard } from '../cardholder/wallet-cards.js';

/** What the keys of the keypad do on a screen. */
export interface Keys {
  digit?(digit: string): void;
  clear?(): void;
  enter?(): void;
  cancel?(): void;
}

/** One screen of the terminal: what it shows, and what its keys do. */
export interface Stage {
  body: Node[];
  keys: Keys;
}

/** What a screen has to do with. */
export interface StageContext {
  terminal: TerminalView;
  /** The card in the person's hand. */
  card(): WalletCard;
  act(action: Action): void;
}
