import { type Job, screenOf } from '../session/job.js';
import type { Action } from '../session/screen.js';

/** Prompts before a payment: the tip, and the confirmation of a repeated payment. */

/** The tip in minor units; 0 without a tip screen, or if no tip was chosen. */
export async function beforeCard(job: Job): Promise<{ tip: number }> {
  const { tip: asked } = job.order;
  if (asked === undefined) return { tip: 0 };
  const { tipPercentages, enterAmountEnabled, skipEnabled, headerName, footer, baseAmount } = asked;
  const screen = screenOf(job, 'tip', headerName, {
    tip: {
      percentages: tipPercentages,
      enterAmount: enterAmountEnabled,
      skip: skipEnabled,
      header: headerName,
      footer,
    },
  });
  const read = (action: Action): number | undefined => {
    if (action.do !== 'choose-tip') return undefined;
    if (action.percentage !== undefined) {
      return tipPercentages.includes(action.percentage)
        ? Math.floor((baseAmount * action.percentage) / 100)
        : undefined;
    }
    if (action.amount !== undefined) return enterAmountEnabled && isMinor(action.amount) ? action.amount : undefined;
    return skipEnabled ? 0 : undefined;
  };
  const chosen = await job.session.ask(screen, job.world.timings.promptMs, read);
  return { tip: chosen === 'timeout' ? 0 : chosen };
}

/** Asks whether a repeated payment is intended. */
export async function isRepetition(job: Job): Promise<boolean> {
  const screen = screenOf(job, 'duplicate', 'This looks like a duplicate. Pay again?');
  return (await job.session.ask(screen, job.world.timings.promptMs, readAnswer)) === true;
}

export function readAnswer(action: Action): boolean | undefined {
  return action.do === 'answer' ? action.accept : undefined;
}

function isMinor(amount: number): boolean {
  return Number.isSafeInteger(amount) && amount >= 0;
}
