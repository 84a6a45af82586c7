import type { Timer } from '../../core/base/seams.js';
import type { Timers } from '../infra/clock.js';
import type { CardInput } from '../model/cards.js';
import type { Action, Screen } from './session/screen.js';
import type { Terminal } from './terminal.js';

/** A cardholder's reaction to a screen; undefined: none. */
export type Cardholder = (screen: Screen, terminal: Terminal) => { afterMs: number; act: Action } | undefined;

/** How an automatic cardholder behaves. By default: taps a VISA ending in 1111 and accepts every prompt. */
export interface Habits {
  /** Delay until the card is presented, ms. Default 1500. */
  tapAfterMs?: number;
  /** Delay of every other reaction, ms. Default: that of the card. */
  answerAfterMs?: number;
  card?: CardInput;
  pin?: 'right' | 'wrong';
  acceptPartial?: boolean;
  acceptDuplicate?: boolean;
  /** A percentage offered by the screen, or `skip`. Default: the first one offered. */
  tip?: number | 'skip';
  /** Inserts the card when the issuer requires chip and PIN. Default false: declines. */
  insertWhenAsked?: boolean;
}

const DEFAULT_TAP = 1500;

export function automaticCardholder(habits: Habits = {}): Cardholder {
  const { tapAfterMs = DEFAULT_TAP, answerAfterMs = tapAfterMs } = habits;
  return (screen) => {
    const act = reactionTo(screen, habits);
    const afterMs = screen.stage === 'awaiting-card' || screen.stage === 'keyed-entry' ? tapAfterMs : answerAfterMs;
    return act === undefined ? undefined : { afterMs, act };
  };
}

/** The cardholder in front of one terminal, who can be replaced at any time. */
export class Seat {
  private cardholder: Cardholder | undefined;
  private pending: Timer | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly clock: Timers,
  ) {
    terminal.subscribe(() => this.react());
  }

  get isTaken(): boolean {
    return this.cardholder !== undefined;
  }

  /** Replaces the cardholder, who reacts to the present screen at once. Undefined: nobody. */
  take(cardholder: Cardholder | undefined): void {
    this.cardholder = cardholder;
    this.react();
  }

  private react(): void {
    this.pending?.cancel();
    const reaction = this.cardholder?.(this.terminal.screen, this.terminal);
    this.pending = reaction && this.clock.after(reaction.afterMs, () => this.terminal.act(reaction.act));
  }
}

function reactionTo(screen: Screen, habits: Habits): Action | undefined {
  const { card = {}, pin = 'right', acceptPartial = true, acceptDuplicate = true, insertWhenAsked = false } = habits;
  switch (screen.stage) {
    case 'awaiting-card':
      return { do: 'present-card', card };
    case 'insert-card':
      return insertWhenAsked ? { do: 'present-card', card: { ...card, entry: 'ICC' } } : { do: 'cancel' };
    case 'keyed-entry':
      return { do: 'key-card', card };
    case 'pin':
      return { do: 'enter-pin', correct: pin === 'right' };
    case 'tip':
      return tipFrom(screen, habits.tip);
    case 'duplicate':
      return { do: 'answer', accept: acceptDuplicate };
    case 'partial':
      return { do: 'answer', accept: acceptPartial };
    case 'signature':
      return { do: 'sign' };
    case 'remove-card':
      return { do: 'remove-card' };
    default:
      return undefined;
  }
}

function tipFrom({ tip }: Screen, wanted: Habits['tip']): Action {
  if (wanted === 'skip') return { do: 'choose-tip' };
  return { do: 'choose-tip', percentage: wanted ?? tip?.percentages[0] };
}
