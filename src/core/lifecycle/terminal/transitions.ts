import { BACKUP } from './transitions/backup.js';
import { EARLIER } from './transitions/earlier.js';
import { LATER_LOOK } from './transitions/later-look.js';
import { REFUSED } from './transitions/refused.js';
import { SENDING } from './transitions/sending.js';
import { SETTLING } from './transitions/settling.js';
import type { TerminalTransition } from './transitions/types.js';
import { WATCHING } from './transitions/watching.js';

/** The life of an operation on a terminal. Read it from top to bottom: the first transition that fits decides. */
export const TERMINAL_TRANSITIONS: readonly TerminalTransition[] = [
  ...BACKUP,
  ...SENDING,
  ...REFUSED,
  ...EARLIER,
  ...SETTLING,
  ...WATCHING,
  ...LATER_LOOK,
];
