import { UnwrittenError, WithdrawnError } from '../base/errors.js';

/** What the way of a request through the rate limit needs of its runner. */
interface Sender {
  isSending: () => boolean;
  enqueue: (event: { type: 'waiting-for-rate-limit' }) => void;
  /** Resolves once the event is handled, with whether the journal has what follows from it. */
  enqueueDurably: (event: { type: 'leaving' }) => Promise<boolean>;
}

/** The way of a request through the rate limit: the journal says "sending" only while the request may have left. */
export class Admission {
  private isWaiting = false;

  constructor(private readonly sender: Sender) {}

  /** It has to wait. */
  wait(): void {
    if (!this.sender.isSending()) return;
    this.isWaiting = true;
    this.sender.enqueue({ type: 'waiting-for-rate-limit' });
  }

  /**
   * The rate limit has let it through.
   * @throws PaymentError: it must not leave
   */
  async leave(): Promise<void> {
    const { isSending, enqueueDurably } = this.sender;
    if (!this.isWaiting && isSending()) return;
    this.isWaiting = false;
    const isNoted = await enqueueDurably({ type: 'leaving' });
    if (!isSending()) throw new WithdrawnError('it ended before it was sent');
    if (!isNoted) throw new UnwrittenError('the journal could not take what was to be sent');
  }
}
