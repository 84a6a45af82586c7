import { type Card, type CardInput, makeCard } from '../../model/cards.js';
import type { EntryMode, Verification } from '../../model/vocabulary.js';
import { type Job, screenOf } from '../session/job.js';
import type { Action, Stage } from '../session/screen.js';

/** Reads the card and asks for the PIN, within the number of attempts that the service allows. */

const CARD_ATTEMPTS: Record<Exclude<EntryMode, 'CNP'>, number> = { CONTACTLESS_ICC: 3, ICC: 3, MAG_STRIPE: 1 };
const PIN_ATTEMPTS = 3;

export type CardRead = Card | 'timeout' | 'unreadable';

/** Waits for a readable card: three attempts each for contactless and chip, one for a swipe. */
export async function readCard(job: Job, stage: Stage = 'awaiting-card', only?: EntryMode): Promise<CardRead> {
  const failed: Record<string, number> = {};
  for (;;) {
    const message = stage === 'insert-card' ? 'Please insert your card' : 'Tap, insert or swipe your card';
    const read = (action: Action): CardInput | undefined => {
      if (action.do !== 'present-card') return undefined;
      const { entry = 'CONTACTLESS_ICC' } = action.card ?? {};
      const isOpen = entry !== 'CNP' && (failed[entry] ?? 0) < CARD_ATTEMPTS[entry];
      return isOpen && (only === undefined || only === entry) ? (action.card ?? {}) : undefined;
    };
    const screen = screenOf(job, stage, message, { again: Object.keys(failed).length > 0 });
    const input = await job.session.ask(screen, job.world.timings.promptMs, read, {
      stoppable: true,
    });
    if (input === 'timeout') return 'timeout';
    if (input.unreadable !== true) return makeCard(input, input.entry === 'MAG_STRIPE' && (failed.ICC ?? 0) > 0);
    const entry = input.entry ?? 'CONTACTLESS_ICC';
    failed[entry] = (failed[entry] ?? 0) + 1;
    if (entry === 'MAG_STRIPE' || (only !== undefined && failed[only] === 3)) return 'unreadable';
  }
}

/** Waits for the keyed-entry form. */
export async function readKeyedCard(job: Job): Promise<Card | 'timeout'> {
  const screen = screenOf(job, 'keyed-entry', 'Enter the card details');
  const read = (action: Action): CardInput | undefined => (action.do === 'key-card' ? (action.card ?? {}) : undefined);
  const input = await job.session.ask(screen, job.world.timings.promptMs, read, { stoppable: true });
  return input === 'timeout' ? 'timeout' : makeCard({ ...input, entry: 'CNP', verification: 'NOT_REQUIRED' });
}

/** Verifies the cardholder before the payment goes to the gateway; `FAILED` after three wrong PINs. */
export async function verifyHolder(job: Job, card: Card): Promise<Verification | 'timeout'> {
  if (card.verification !== 'PIN' && card.verification !== 'PIN_SIGNATURE') return card.verification;
  for (let wrong = 0; wrong < PIN_ATTEMPTS; wrong++) {
    const message = wrong === 0 ? 'Enter your PIN' : 'Wrong PIN, try again';
    const screen = screenOf(job, 'pin', message, { again: wrong > 0 });
    const given = await job.session.ask(screen, job.world.timings.promptMs, readPin(job), {
      stoppable: true,
    });
    if (given === 'timeout') return 'timeout';
    if (given === 'bypass') return 'PIN_BYPASS';
    if (given === 'correct') return card.verification;
  }
  return 'FAILED';
}

function readPin({ order }: Job): (action: Action) => 'correct' | 'wrong' | 'bypass' | undefined {
  return (action) => {
    if (action.do === 'enter-pin') return action.correct ? 'correct' : 'wrong';
    return action.do === 'skip-pin' && order.pinBypass ? 'bypass' : undefined;
  };
}
