import type { OfWhole } from './amounts.js';
import type { BackOfficeState } from './state.js';

/** What a record knows of what was asked for, and of how far it is. */
export interface Asked extends OfWhole {
  state: BackOfficeState;
}
