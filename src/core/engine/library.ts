import type { Client } from '../api/client.js';
import type { Clock } from '../base/seams.js';
import { SETTLING_LAG } from '../base/timings.js';
import type { Delivery } from '../delivery/listener.js';
import { recordedDelivery } from '../delivery/recorded-delivery.js';
import { type Annotation, knownMoney } from '../journal/annotation.js';
import type { Journal, JournalQuery } from '../journal/journal.js';
import { isFree } from '../journal/order-claim.js';
import { NO_LIMIT } from '../journal/query.js';
import type { OperationRecord } from '../journal/record.js';
import type { OrderKey } from '../operation/order-key.js';
import { type Balance, balanceOf } from '../original/balance.js';
import { chainReferenceOf } from '../original/chain-reference.js';
import { type Whole, wholeInChain } from '../original/whole.js';
import type { Unanswered } from './options.js';
import type { SameMerchant } from './service/same-merchant.js';

/** How far the clocks of processes that share a journal may be apart, ms: each writes when it changed something by its own. */
const APART = 5 * 60_000;

interface LibraryOptions {
  environment: string;
  journal: Pick<Journal, 'find' | 'holder' | 'repeats' | 'open' | 'annotate' | 'annotations' | 'doors'>;
  clock: Clock;
}

/** A message whose flow has heard that nobody knows. */
interface ToldUnknown extends Pick<Unanswered, 'origin' | 'first'> {
  id: string;
}

/** What the journal holds of one environment, for whoever wants to know: in every process that can read it. */
export class Library {
  constructor(
    private readonly options: LibraryOptions,
    private readonly client: Client,
    private readonly sameMerchant: Pick<SameMerchant, 'isForeign'>,
  ) {}

  /** See `Payments.find`. @throws JournalError */
  async find(query: JournalQuery, limit?: number): Promise<OperationRecord[]> {
    const found = await this.options.journal.find(query, limit);
    return found.filter(({ environment }) => environment === this.options.environment);
  }

  /** See `Payments.holder`. @throws JournalError */
  holder({ hash }: OrderKey): Promise<OperationRecord | undefined> {
    return this.options.journal.holder(this.options.environment, hash);
  }

  /**
   * The end of a message whose flow has heard here that nobody knows, where another process has told it by then: a correction,
   * told once more. Undefined where it is still to be told. @throws JournalError
   */
  async endOnceMore({ id, origin, first }: ToldUnknown): Promise<Delivery | undefined> {
    const record = await this.orderOf({ id, origin, first });
    const { latest, pending } = record?.state ?? {};
    if (record === undefined || latest?.verdict.final !== true || pending !== undefined) return undefined;
    const isRepeat = record.operationId !== id;
    if (isRepeat && (await this.isRepeatOpen(id))) return undefined;
    const delivery = recordedDelivery(record, latest);
    const repeated = isRepeat ? { repeated: true as const } : {};
    const payload = { ...delivery.payload, ...repeated, correction: true, redelivered: true };
    return { ...delivery, id, origin, payload };
  }

  /** See `Payments.balance`. @throws JournalError */
  async balance(transactionId: string, key?: OrderKey): Promise<Balance | undefined> {
    const first = key && (await this.holder(key));
    const isRepeat = first !== undefined && !isFree(first, key);
    const isBefore = ({ operationId, createdAt }: OperationRecord): boolean =>
      !isRepeat || (operationId !== first.operationId && createdAt <= first.createdAt);
    return balanceOf(
      async (query, limit) => (await this.ofMerchant(query)).filter(isBefore).slice(0, limit),
      transactionId,
    );
  }

  /** What another environment with a key of this merchant has done to a payment counts in this one, too. @throws JournalError */
  private async ofMerchant(query: JournalQuery): Promise<OperationRecord[]> {
    const found = await this.options.journal.find(query, NO_LIMIT);
    const isForeign = await Promise.all(
      found.map(
        async ({ environment, service }) =>
          environment !== this.options.environment && (await this.sameMerchant.isForeign(service)) === true,
      ),
    );
    return found.filter((_record, place) => !isForeign[place]);
  }

  /** See `Payments.whole`. @throws JournalError */
  async whole(transactionId: string, reference?: string): Promise<Whole | undefined> {
    const [original] = await this.find({ transactionId }, 1);
    const chain = (original && chainReferenceOf(original)) ?? reference;
    const { clock } = this.options;
    // The chain may not show yet what this environment changed a moment ago.
    const changed = (await this.find({ original: transactionId }, NO_LIMIT)).map(({ updatedAt }) => updatedAt);
    const lag = this.options.journal.doors === undefined ? SETTLING_LAG : SETTLING_LAG + APART;
    const isBehind = changed.some((at) => at > clock.now() - lag);
    const isAsked = chain !== undefined && !isBehind;
    const found = isAsked ? await wholeInChain(this.client, clock, chain, transactionId) : undefined;
    if (found !== undefined) return found;
    const { total: amount, currency } = (await this.balance(transactionId)) ?? {};
    return amount === undefined || currency === undefined ? undefined : { amount, currency };
  }

  /** See `Payments.recent`. @throws JournalError */
  recent(limit: number, until?: number): Promise<OperationRecord[]> {
    return this.options.journal.find({ environment: this.options.environment, until }, limit);
  }

  /** See `Payments.open`. @throws JournalError */
  open(): Promise<OperationRecord[]> {
    return this.options.journal.open(this.options.environment);
  }

  /** See `Payments.annotations`. @throws JournalError */
  annotations(operationIds: readonly string[]): Promise<ReadonlyMap<string, readonly Annotation[]>> {
    return this.options.journal.annotations(operationIds);
  }

  /** See `Payments.annotate`. @throws JournalError */
  async annotate(record: OperationRecord, said: Pick<Annotation, 'event' | 'by' | 'note'>): Promise<void> {
    const { journal, clock } = this.options;
    await journal.annotate(record.operationId, { ...said, at: clock.now(), known: knownMoney(record) });
  }

  /** What a message has asked for. One that repeats an order has no record of its own. @throws JournalError */
  async orderOf({ id, origin, first = id }: ToldUnknown): Promise<OperationRecord | undefined> {
    const [record] = await this.options.journal.find({ operationId: first }, 1);
    return record ?? (origin.key && this.holder(origin.key));
  }

  private async isRepeatOpen(id: string): Promise<boolean> {
    return (await this.options.journal.repeats(this.options.environment)).some((repeat) => repeat.id === id);
  }
}
