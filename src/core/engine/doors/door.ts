import { Client } from '../../api/client.js';
import { checkTransactionOrder } from '../../api/schema/transaction-request.js';
import type { RelayedCall } from '../../api/transport/transport.js';
import { Abort } from '../../base/abort.js';
import { AnswerLostError, ConfigurationError } from '../../base/errors.js';
import { withoutCardNumbers } from '../../base/privacy/redact.js';
import type { SealedJson } from '../../base/privacy/sealed-json.js';
import type { HttpAnswer } from '../../base/seams.js';
import { BACK_OFFICE_STALE_AFTER, STALE_AFTER } from '../../base/timings.js';
import { Dispatcher } from '../../delivery/dispatcher.js';
import { Heard } from '../../delivery/heard.js';
import { IncomingDeliveries } from '../../delivery/remote/incoming-deliveries.js';
import type { DoorJournal } from '../../journal/journal.js';
import { type BackOfficeDraft, checkBackOfficeOrder } from '../../operation/back-office-order.js';
import type { Order, Origin } from '../../operation/order.js';
import { sleep } from '../../platform/sleep.js';
import { answerTo, type CallbackAnswer, callbackOf, isAbout } from '../callback-receiver.js';
import type { CancelTarget } from '../cancellation.js';
import { Library } from '../library.js';
import type { EngineOptions, Unanswered } from '../options.js';
import { Payments } from '../payments.js';
import { SameMerchant } from '../service/same-merchant.js';
import { aboutAnswer, CALL_WAIT } from './asked.js';
import { Asking } from './asking.js';
import { ChangeWatch } from './change-watch.js';
import { aboutCallback } from './door-keeper.js';
import { doorSeal } from './door-seal.js';
import { type Kept, KeptMessages } from './kept-messages.js';
import { progressHintIn } from './progress-hints.js';

/** How long a delivery that may not be told now waits for the next try, ms. */
const TOLD_AGAIN = 1000;
/** Long enough for another process to take over. ms. */
const LONGEST_WAIT = STALE_AFTER;
/** How long a cancel or a check waits for the leader, ms. */
const ACTION_WAIT = 30_000;
/** Node-RED gives a node 15 s to close. */
const LAST_ANSWER_WAIT = 10_000;

export type DoorOptions = Omit<EngineOptions, 'journal'> & {
  journal: DoorJournal;
  /** Whether anybody looks at the operations of the other processes now. Absent: nobody. */
  isObserved?: () => boolean;
};

/**
 * A process that does not lead, for the flows that run in it: it takes their messages, asks the leader, and tells the results
 * where the messages came in.
 */
export class Door extends Payments {
  readonly client: Client;
  protected readonly library: Library;
  protected readonly dispatcher: Dispatcher;
  private readonly asking: Asking;
  private readonly incoming: IncomingDeliveries;
  private readonly kept: KeptMessages;
  private readonly changes: ChangeWatch;
  private readonly seal: SealedJson;
  private readonly sameMerchant: SameMerchant;
  private readonly stopping = new Abort();
  private stopWatching: () => void = () => undefined;
  /** Resolves once nothing is left to find out for its messages, some time after it has stopped or ended. */
  readonly settled: Promise<void>;
  private settle: () => void = () => undefined;
  private isSettled = false;
  private generation: number;

  /** @throws ConfigurationError when an address or the key cannot be used */
  constructor(private readonly options: DoorOptions) {
    super();
    const { journal, environment, clock, heard = new Heard() } = options;
    const { doors } = journal;
    this.generation = doors.generation;
    this.settled = new Promise((resolve) => {
      this.settle = resolve;
    });
    const log = options.log ?? (() => undefined);
    this.sameMerchant = new SameMerchant(options, this.stopping.signal);
    const isSecondProved = (): Promise<boolean> => this.sameMerchant.isSecondProved();
    this.client = new Client({ ...options, isSecondProved, relay: (call) => this.relay(call) });
    this.library = new Library(options, this.client, this.sameMerchant);
    this.changes = new ChangeWatch(this.library, (record) => this.publish(record));
    this.seal = doorSeal(options);
    this.dispatcher = new Dispatcher(log, {
      mayAct: () => !this.stopping.signal.aborted && doors.mayTell() && this.incoming.isCurrent,
      later: (run) => clock.after(TOLD_AGAIN, run),
    });
    this.asking = new Asking(doors, environment, this.seal, clock);
    this.kept = new KeptMessages(clock, this.dispatcher, heard);
    for (const record of options.unanswered ?? []) this.kept.adopt(record);
    this.incoming = new IncomingDeliveries(doors, environment, this.seal, this.dispatcher, heard, log, this.kept);
  }

  async start(): Promise<void> {
    const { journal, environment, log } = this.options;
    this.sameMerchant.learn().catch((error) => log?.('error', `API keys: ${String(error)}`));
    this.stopWatching = journal.doors.watch(environment, {
      leads: false,
      look: () => this.look(),
      hear: (text) => this.hear(text),
    });
  }

  /**
   * For an engine in its place: tells nothing any more, and notes what it has told, so that nobody tells it again. What nobody
   * has answered yet goes on to wait, until it has {@link settled}.
   */
  async stop(): Promise<void> {
    this.tellNothing();
    await this.tellLost();
    this.kept.leaveAccepted();
    await this.incoming.settled();
    this.settleIfOver(false);
  }

  /**
   * For a deploy: takes back what nobody has answered, and tells no results any more. Waits no longer for a database that is
   * away than a deploy may take. Until it has {@link settled} it goes on to find out what became of its messages, and their
   * flows hear what no other process can know: that nobody knows, and that an order was not taken after all.
   */
  async end(): Promise<void> {
    this.tellNothing();
    this.incoming.dropOffered();
    const done = new Abort();
    void this.settled.then(() => done.abort());
    this.settleIfOver(false);
    void Promise.all([this.asking.withdrawAll(), this.incoming.settled()])
      .then(() => this.look())
      // The next look comes soon.
      .catch(() => undefined);
    await sleep(this.options.clock, LAST_ANSWER_WAIT, done.signal);
  }

  /** It has settled, and the flows have heard all that it had to tell. */
  get isOver(): boolean {
    return this.isSettled && this.dispatcher.isIdle;
  }

  async submit(order: Order): Promise<string> {
    const request = checkTransactionOrder(order.request);
    const kept = { operation: request.operation, request, origin: order.origin };
    return this.taken(kept, (id, origin) =>
      this.asking.ask('order', id, { order: { ...order, origin } }, LONGEST_WAIT),
    );
  }

  async submitBackOffice(draft: BackOfficeDraft, origin: Origin): Promise<string> {
    const request = checkBackOfficeOrder(draft);
    const kept = { operation: request.operation, request, origin };
    const limit = draft.startWithinMs === undefined ? BACK_OFFICE_STALE_AFTER : (draft.startWithinMs ?? LONGEST_WAIT);
    return this.taken(kept, (id, asked) =>
      this.asking.ask('back-office-order', id, { order: draft, origin: asked }, Math.min(limit, LONGEST_WAIT)),
    );
  }

  /** Messages whose end the next engine or door of this process has to tell. */
  get unanswered(): readonly Unanswered[] {
    return this.kept.unanswered;
  }

  async checkNow(operationId: string): Promise<boolean> {
    return (await this.asking.ask('check', this.options.newId(), { operationId }, ACTION_WAIT)) === true;
  }

  async cancelTarget(target: CancelTarget): Promise<boolean> {
    await this.asking.ordersPlaced();
    return (await this.asking.ask('cancel', this.options.newId(), { target }, ACTION_WAIT)) === true;
  }

  /** Acknowledged once the journal has it, for the leader to settle from. */
  async callback(attemptId: string, token: string | undefined, body: string): Promise<CallbackAnswer> {
    const { journal, environment, log } = this.options;
    const result = callbackOf(this.options, attemptId, token, body);
    if (result === undefined) return 'not-found';
    try {
      const [record] = await journal.find({ reference: attemptId }, 1);
      if (!(await isAbout(record, environment, result, attemptId, journal))) return 'not-found';
      await journal.doors.inbox.put(
        environment,
        attemptId,
        this.seal.close(withoutCardNumbers(result), aboutCallback(attemptId)),
      );
      return answerTo(this.options, attemptId, result, 'taken');
    } catch (error) {
      log?.('error', `callback: ${String(error)}`);
      return 'unavailable';
    }
  }

  private tellNothing(): void {
    this.stopping.abort();
    this.client.close();
    this.dispatcher.stop();
  }

  /** Nobody else can tell what the leader had taken, and a journal that went on from an older copy does not know. */
  private async tellLost(): Promise<void> {
    const tell = async (message: Kept): Promise<void> => {
      const { id, operation, origin } = message;
      const isKnown = await this.library.orderOf(message).catch(() => true);
      if (isKnown !== undefined) return;
      this.options.log?.(
        'error',
        `${id}: the journal has lost this ${operation} of node ${origin.node}, which another Node-RED had taken: look at it`,
      );
      this.kept.tellLost(message);
    };
    // All at once: this process resumes no payment before it has its answers, and a database that hangs gives none for 8 s.
    await Promise.all(this.kept.accepted.map(tell));
  }

  /** @param isCounted this process has been counted as alive since before it looked */
  private settleIfOver(isCounted: boolean): void {
    if (!this.stopping.signal.aborted || this.asking.open.length > 0 || !this.incoming.isNoted) return;
    if (this.kept.isAwaited && !isCounted) return;
    this.kept.leaveAccepted();
    this.stopWatching();
    this.isSettled = true;
    this.settle();
  }

  /** The leader sends it, so that the key stays within its rate. */
  private async relay(call: RelayedCall): Promise<HttpAnswer> {
    const id = this.options.newId();
    const answer = await this.asking.ask('call', id, { call }, CALL_WAIT);
    try {
      return this.seal.open(String(answer), aboutAnswer(id)) as HttpAnswer;
    } catch (cause) {
      throw new AnswerLostError('another Node-RED has sent it, and its answer cannot be opened here', { cause });
    }
  }

  private async taken(
    message: Omit<Kept, 'id'>,
    ask: (id: string, origin: Origin) => Promise<unknown>,
  ): Promise<string> {
    if (this.stopping.signal.aborted) throw new ConfigurationError('this environment has been stopped');
    const { newId, journal } = this.options;
    const id = newId();
    const asked: Origin = { ...message.origin, replica: journal.doors.replica, asked: true };
    return this.kept.keep({ id, ...message }, ask(id, asked));
  }

  private async look(): Promise<boolean> {
    const mayTell = this.options.journal.doors.mayTell();
    try {
      const isWaiting = await this.asking.look();
      if (!this.stopping.signal.aborted) await this.incoming.look();
      if (this.options.isObserved?.()) await this.changes.look();
      else this.changes.rest();
      this.noteGeneration();
      await this.kept.leaveToLeader((message) => this.library.endOnceMore(message));
      // A database that can only be read takes no result either.
      if (this.options.journal.doors.mayTell()) this.kept.noteReached();
      else this.kept.noteAway();
      if (this.stopping.signal.aborted) await this.incoming.settled();
      this.settleIfOver(mayTell);
      return isWaiting || this.kept.isAwaited;
    } catch (error) {
      this.kept.noteAway();
      this.settleIfOver(false);
      throw error;
    }
  }

  private noteGeneration(): void {
    const { generation } = this.options.journal.doors;
    if (generation !== this.generation) this.kept.noteDead();
    this.generation = generation;
  }

  private hear(text: string): void {
    const hint = progressHintIn(text);
    if (hint === undefined || this.stopping.signal.aborted) return;
    const { node } = hint;
    if ('progress' in hint) this.dispatcher.progress({ node, message: {} }, hint.progress);
    else {
      const origin = this.kept.originOf(hint.stage.id);
      if (origin !== undefined) this.dispatcher.stage({ ...hint.stage, origin });
    }
  }
}
