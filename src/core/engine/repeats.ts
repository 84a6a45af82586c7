import { IdempotencyKeyReusedError } from '../base/errors.js';
import { withoutAbsent } from '../base/objects.js';
import { JOURNAL_PATIENCE } from '../base/timings.js';
import { TransientMap } from '../base/transient.js';
import type { Dispatcher } from '../delivery/dispatcher.js';
import type { StageChange } from '../delivery/listener.js';
import { lostDelivery, recordedDelivery } from '../delivery/recorded-delivery.js';
import { DamagedRecordError } from '../journal/damaged-record.js';
import { differenceOf, isSameOrder } from '../journal/order-claim.js';
import { persisted } from '../journal/persisted.js';
import type { OperationRecord, RepeatRecord } from '../journal/record.js';
import type { LatestVerdict } from '../operation/delivery-state.js';
import { resumedOrigin } from '../operation/order.js';
import { JOURNAL_UNAVAILABLE, verdictWithoutEnd } from '../operation/verdict.js';
import type { NumberedDelivery } from '../runner/outbox.js';
import type { AnyRunner, Echo } from '../runner/runner-context.js';
import type { EngineOptions, Unanswered } from './options.js';

/** A message that waits for what becomes of the first of its order. */
interface Follower {
  repeat: RepeatRecord;
  /** An earlier process accepted the message, and may have delivered more to it than it noted. */
  isRestored: boolean;
  /** The number of the verdict that is on its way to it. */
  handed: number;
  /** It was told that the journal cannot be written. */
  heardUnavailable?: true;
  /** Its writes, one after the other. */
  writing: Promise<void>;
}

/** Verdicts in memory, with the receipts and tokens that the journal must not keep. */
const KEPT = 100;

/** Messages that repeat an order under its key. They send nothing, and are told what the first is told. */
export class Repeats implements Echo {
  /** By `operationId` of the first. */
  private readonly followers = new Map<string, Follower[]>();
  private readonly kept = new TransientMap<NumberedDelivery>();
  private isStopped = false;

  /** @param runnerOf the runner of a first that is under way */
  constructor(
    private readonly options: Pick<EngineOptions, 'environment' | 'journal' | 'clock' | 'newId' | 'log' | 'receipts'>,
    private readonly dispatcher: Dispatcher,
    private readonly runnerOf: (operationId: string) => AnyRunner | undefined,
  ) {}

  /** Takes up what earlier engines left. @throws JournalError */
  async load(): Promise<void> {
    const { journal, environment } = this.options;
    const known = new Set([...this.followers.values()].flat().map(({ repeat: { id } }) => id));
    for (const repeat of await journal.repeats(environment)) {
      if (!known.has(repeat.id)) this.add(followerOf({ ...repeat, origin: resumedOrigin(repeat.origin) }, true));
    }
  }

  /** Tells the messages of earlier engines what has become of their orders. @throws JournalError */
  async catchUpAll(): Promise<void> {
    for (const follower of [...this.followers.values()].flat()) await this.catchUp(follower);
  }

  /**
   * Takes a message that repeats an order. Resolves with its id once it is durable; then it is told the current verdict.
   * @param first the operation that has the key
   * @param message what the message would have been as an order of its own
   * @throws IdempotencyKeyReusedError where it asks for something else, JournalError
   */
  async take(first: OperationRecord, message: OperationRecord): Promise<string> {
    if (!isSameOrder(first, persisted(message)))
      throw new IdempotencyKeyReusedError(first.operationId, differenceOf(first, message));
    const { operationId: id, environment, origin, createdAt } = message;
    const { operation } = first;
    const repeat: RepeatRecord = {
      kind: 'repeat',
      id,
      environment,
      first: first.operationId,
      operation,
      origin,
      createdAt,
    };
    const follower = followerOf(repeat, false);
    await this.record(follower, first);
    this.add(follower);
    const change = this.runnerOf(repeat.first)?.stage();
    if (change !== undefined) this.tellStage(follower, change);
    await this.catchUp(follower);
    return id;
  }

  /** Messages whose flow has heard here that the journal cannot be written, and nothing since. */
  get unanswered(): Unanswered[] {
    return [...this.followers].flatMap(([first, followers]) => {
      const runner = this.runnerOf(first);
      if (runner === undefined) return [];
      const { operation, request } = runner.record;
      return followers
        .filter(({ heardUnavailable, repeat }) => heardUnavailable && repeat.told === undefined)
        .map(({ repeat: { id: operationId, origin } }) => ({ operationId, operation, request, origin, first }));
    });
  }

  /** The orders that messages of a node repeat, by `operationId` of the first. */
  firstsOf(node: string): string[] {
    const isOfNode = ({ repeat }: Follower): boolean => repeat.origin.node === node;
    return [...this.followers].filter(([, followers]) => followers.some(isOfNode)).map(([first]) => first);
  }

  /** The `operationId` of the first that a message repeats. */
  firstOf(id: string): string | undefined {
    return [...this.followers].find(([, followers]) => followers.some(({ repeat }) => repeat.id === id))?.[0];
  }

  verdict(first: OperationRecord, told: NumberedDelivery): void {
    if (first.origin.key === undefined) return;
    this.keep(first.operationId, told);
    const again = told.delivery.payload.redelivered === true;
    for (const follower of this.followers.get(first.operationId) ?? []) {
      this.tell(follower, told, { isOver: isLast(first), again });
    }
  }

  takenUp(runner: AnyRunner): void {
    const { operationId, state } = runner.record;
    // What is pending is told as a verdict.
    if (state.pending !== undefined) return;
    for (const follower of this.followers.get(operationId) ?? []) this.tellLatest(follower, runner);
  }

  stage(change: StageChange): void {
    for (const follower of this.followers.get(change.id) ?? []) this.tellStage(follower, change);
  }

  /** Nothing is told any more. Resolves once what was told is noted. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.followers.values()].flat().map(({ writing }) => writing));
  }

  /**
   * Makes a message durable. Once its flow has heard that the journal takes too long over that, it is told what follows,
   * whatever the journal says in the end.
   * @throws JournalError: its flow has heard nothing
   */
  private async record(follower: Follower, first: OperationRecord): Promise<void> {
    const { journal, clock, log } = this.options;
    const { repeat } = follower;
    const patience = clock.after(JOURNAL_PATIENCE, () => {
      if (journal.mayTellUnavailable()) this.tell(follower, unavailable(first), { isOver: false, again: false });
    });
    try {
      await journal.recordRepeat(repeat);
    } catch (error) {
      if (!follower.heardUnavailable) {
        this.dispatcher.drop(repeat.id);
        throw error;
      }
      log?.('error', `${repeat.id}: ${String(error)}; a restart forgets it`);
    } finally {
      patience.cancel();
    }
  }

  private add(follower: Follower): void {
    const { first } = follower.repeat;
    this.followers.set(first, [...(this.followers.get(first) ?? []), follower]);
  }

  private async catchUp(follower: Follower): Promise<void> {
    const { first } = follower.repeat;
    const runner = this.runnerOf(first);
    if (runner !== undefined) return this.tellLatest(follower, runner);
    const record = await this.recorded(first);
    if (record === undefined) return this.tellLost(follower);
    const { latest } = record.state;
    // What is still to be told is told by the engine that takes it up. A payment may stay open after its last verdict.
    if (latest === undefined || !isLast(record) || record.state.pending) return;
    this.tell(follower, await this.deliveryIn(record, latest), { isOver: true, again: true });
  }

  /** Undefined where the journal has lost it, or it is damaged. @throws JournalError */
  private async recorded(operationId: string): Promise<OperationRecord | undefined> {
    try {
      const [record] = await this.options.journal.find({ operationId }, 1);
      return record;
    } catch (error) {
      if (error instanceof DamagedRecordError) return undefined;
      throw error;
    }
  }

  /** Nobody will ever know what it waits for. */
  private tellLost(follower: Follower): void {
    const { repeat, handed } = follower;
    this.options.log?.('error', `${repeat.id}: the journal has lost ${repeat.first}`);
    this.tell(follower, { delivery: lostDelivery(repeat), sequence: handed + 1 }, { isOver: true, again: false });
  }

  private tellLatest(follower: Follower, runner: AnyRunner): void {
    const told = runner.latestDelivery();
    if (told !== undefined) this.tell(follower, told, { isOver: isLast(runner.record), again: true });
  }

  private async deliveryIn(record: OperationRecord, latest: LatestVerdict): Promise<NumberedDelivery> {
    const { operationId } = record;
    const kept = this.kept.get(operationId);
    const { sequence } = latest;
    if (kept?.sequence === sequence) return kept;
    const receipts = await this.options.receipts?.of(operationId);
    return { delivery: recordedDelivery(record, latest, receipts), sequence };
  }

  /**
   * @param isOver no other verdict follows
   * @param again an earlier process may have told it already
   */
  private tell(
    follower: Follower,
    { delivery, sequence }: NumberedDelivery,
    { isOver, again }: { isOver: boolean; again: boolean },
  ): void {
    const { repeat, isRestored, handed, heardUnavailable } = follower;
    if (this.isStopped || (sequence === undefined ? handed > 0 || heardUnavailable : sequence <= handed)) return;
    const { correction: _correction, redelivered: _redelivered, ...payload } = delivery.payload;
    const message = {
      ...delivery,
      id: repeat.id,
      origin: repeat.origin,
      ...(sequence === undefined ? {} : { sequence }),
      payload: withoutAbsent({
        ...payload,
        repeated: true as const,
        correction: handed > 0 || heardUnavailable ? true : undefined,
        redelivered: again && isRestored ? true : undefined,
      }),
    };
    if (sequence !== undefined) follower.handed = sequence;
    const onDelivered = (): void => {
      if (sequence === undefined) follower.heardUnavailable = true;
      else this.noteTold(follower, sequence, isOver || payload.final);
    };
    this.dispatcher.deliver(message, onDelivered, sequence === undefined);
  }

  private tellStage({ repeat: { id, origin } }: Follower, { payload }: StageChange): void {
    if (!this.isStopped) this.dispatcher.stage({ id, origin, payload });
  }

  /** What a crash keeps from being noted is told again, and marked as redelivered. */
  private noteTold(follower: Follower, told: number, isAll: boolean): void {
    follower.repeat = { ...follower.repeat, told };
    const { repeat } = follower;
    if (isAll) this.forget(follower);
    else this.write(follower, () => this.options.journal.recordRepeat(repeat));
  }

  private forget(follower: Follower): void {
    const { repeat } = follower;
    const others = (this.followers.get(repeat.first) ?? []).filter((other) => other !== follower);
    if (others.length === 0) this.followers.delete(repeat.first);
    else this.followers.set(repeat.first, others);
    this.write(follower, () => this.options.journal.forgetRepeat(repeat));
  }

  private write(follower: Follower, write: () => Promise<void>): void {
    const { id } = follower.repeat;
    follower.writing = follower.writing
      .then(write)
      .catch((error) => this.options.log?.('error', `${id}: ${String(error)}; it is told again after a restart`));
  }

  private keep(first: string, told: NumberedDelivery): void {
    this.kept.delete(first);
    this.kept.set(first, told);
    const [oldest] = this.kept.ids();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}

function followerOf(repeat: RepeatRecord, isRestored: boolean): Follower {
  return { repeat, isRestored, handed: repeat.told ?? 0, writing: Promise.resolve() };
}

/** What the message is told while the journal hangs: nobody knows yet. */
function unavailable(first: OperationRecord): NumberedDelivery {
  const verdict = verdictWithoutEnd(first.operation, JOURNAL_UNAVAILABLE);
  const { sequence: _unwritten, ...delivery } = recordedDelivery(first, { sequence: 0, verdict, source: 'recovery' });
  return { delivery };
}

/** No other verdict on it can follow. */
function isLast({ state }: OperationRecord): boolean {
  return state.phase === 'closed';
}
