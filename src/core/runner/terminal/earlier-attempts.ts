import { PaymentError } from '../../base/errors.js';
import { withoutAbsent } from '../../base/objects.js';
import type { EarlierAnswer, LifecycleEvent } from '../../lifecycle/terminal/lifecycle.js';

/** After so many queries without an answer a round is given up. */
const MOST_UNANSWERED = 5;

type GatewayEvent = LifecycleEvent & { type: 'gateway' };

/**
 * What the status service shows of the attempts before the latest. After a restored backup there may be many, so answers are
 * kept until all have come.
 */
export class EarlierAttempts {
  private readonly shown = new Map<string, GatewayEvent>();

  /**
   * @param from an older answer does not count, epoch ms
   * @param statusOf what the service shows of one; undefined where that proves nothing
   * @returns undefined where one of them proves nothing
   */
  async ask(
    references: readonly string[],
    from: number,
    statusOf: (reference: string) => Promise<{ event: LifecycleEvent } | undefined>,
  ): Promise<LifecycleEvent | undefined> {
    const answers: GatewayEvent[] = [];
    const charges: (GatewayEvent & { reference: string })[] = [];
    let unanswered = 0;
    for (const reference of references) {
      const known = this.shown.get(reference);
      const event = known !== undefined && known.askedAt >= from ? known : await answerTo(statusOf(reference));
      if (event?.type === 'gateway') {
        this.shown.set(reference, event);
        answers.push(event);
        if (isCharged(event)) charges.push({ reference, ...event });
      } else if (++unanswered === MOST_UNANSWERED) break;
    }
    const [first, second] = charges;
    // One that was not answered may have charged as well.
    if (unanswered > 0 && second === undefined) return undefined;
    if (first !== undefined) return charged(first, second);
    const askedAt = Math.min(...answers.map((answer) => answer.askedAt));
    return { type: 'earlier', askedAt, meaning: openMeaning(answers) };
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
function openMeaning(answers: readonly GatewayEvent[]): EarlierAnswer['meaning'] {
  const meanings = answers.map(({ meaning }) => meaning);
  if (meanings.includes('undefined') || meanings.includes('in-progress')) return 'undefined';
  return meanings.includes('failed') ? 'failed' : 'none';
}

function isCharged({ meaning, net = 0 }: GatewayEvent): boolean {
  return meaning === 'approved' || meaning === 'partial' || (meaning === 'returned' && net > 0);
}

function charged(
  { reference, askedAt, transactionId }: GatewayEvent & { reference: string },
  second: (GatewayEvent & { reference: string }) | undefined,
): LifecycleEvent {
  const other = second && withoutAbsent({ reference: second.reference, transactionId: second.transactionId });
  return withoutAbsent({ type: 'earlier', meaning: 'approved', askedAt, reference, transactionId, other } as const);
}
