import { PaymentError } from '../../base/errors.js';
import { withoutAbsent } from '../../base/objects.js';
import type { EarlierAnswer, LifecycleEvent } from '../../lifecycle/terminal/lifecycle.js';
import { isNegative } from '../../operation/result-meaning.js';

/** After so many queries without an answer a round is given up. */
const MOST_UNANSWERED = 5;

type GatewayEvent = LifecycleEvent & { type: 'gateway' };
type Shown = GatewayEvent & { reference: string };
type EarlierEvent = LifecycleEvent & { type: 'earlier' };

/**
 * What the status service shows of the attempts before the latest. After a restored backup there may be many, so answers are
 * kept until all have come.
 */
export class EarlierAttempts {
  private readonly shown = new Map<string, GatewayEvent>();

  /**
   * @param from an older answer does not count, epoch ms
   * @param shownBefore those whose record an earlier answer showed, perhaps to another process: that it has vanished since
   * does not say that they charged nothing
   * @param statusOf what the service shows of one; undefined where that proves nothing
   * @param note called as soon as a record shows: it may vanish, and this process end, before the others have answered
   * @returns undefined where one of them proves nothing
   */
  async ask(
    references: readonly string[],
    from: number,
    shownBefore: readonly string[],
    statusOf: (reference: string) => Promise<{ event: LifecycleEvent } | undefined>,
    note: (event: EarlierEvent) => void,
  ): Promise<LifecycleEvent | undefined> {
    const answers: Shown[] = [];
    let unanswered = 0;
    for (const reference of references) {
      const known = this.shown.get(reference);
      const event = known !== undefined && known.askedAt >= from ? known : await answerTo(statusOf(reference));
      if (event?.type === 'gateway') {
        const isNew = event !== known && leavesOpen(event) && !shownBefore.includes(reference);
        if (isNew && references.length > 1) note(justShown(reference));
        this.shown.set(reference, event);
        answers.push({ reference, ...event });
      } else if (++unanswered === MOST_UNANSWERED) break;
    }
    const [first, second] = answers.filter(isCharged);
    // One that was not answered may have charged as well.
    if (unanswered > 0 && second === undefined) return undefined;
    const records = answers.filter(leavesOpen).map(({ reference }) => reference);
    const shown = records.length === 0 ? undefined : records;
    const meaning = openMeaning(answers, shownBefore);
    const times = answers.map((answer) => answer.askedAt);
    if (first !== undefined) {
      return withoutAbsent({ ...charged(first, second), lastAskedAt: Math.max(...times), shown, others: meaning });
    }
    const asked = { askedAt: Math.min(...times), lastAskedAt: Math.max(...times) };
    return withoutAbsent({ type: 'earlier', ...asked, meaning, shown } as const);
  }
}

async function answerTo(asked: Promise<{ event: LifecycleEvent } | undefined>): Promise<LifecycleEvent | undefined> {
  try {
    return (await asked)?.event;
  } catch (error) {
    if (error instanceof PaymentError) return undefined;
    throw error;
  }
}

/** A "no" is about its own attempt alone, so only a charge counts, or what may still become one. */
function openMeaning(answers: readonly Shown[], shownBefore: readonly string[]): NonNullable<EarlierAnswer['others']> {
  const others = answers.filter((answer) => !isCharged(answer));
  const meanings = others.map(({ meaning }) => meaning);
  if (others.some(({ reference, meaning }) => meaning === 'none' && shownBefore.includes(reference)))
    return 'undefined';
  if (meanings.includes('undefined') || meanings.includes('in-progress')) return 'undefined';
  return meanings.includes('failed') ? 'failed' : 'none';
}

function isCharged({ meaning, net = 0 }: GatewayEvent): boolean {
  return meaning === 'approved' || meaning === 'partial' || (meaning === 'returned' && net > 0);
}

/** There is a record, and it does not say that nothing was charged. */
function leavesOpen(event: GatewayEvent): boolean {
  return isCharged(event) || !(event.meaning === 'none' || event.meaning === 'returned' || isNegative(event.meaning));
}

/** It takes the place of no answer about all of them. */
function justShown(reference: string): EarlierEvent {
  return { type: 'earlier', meaning: 'undefined', askedAt: 0, shown: [reference] };
}

function charged({ reference, askedAt, transactionId }: Shown, second: Shown | undefined): EarlierEvent {
  const other = second && withoutAbsent({ reference: second.reference, transactionId: second.transactionId });
  return withoutAbsent({ type: 'earlier', meaning: 'approved', askedAt, reference, transactionId, other } as const);
}
