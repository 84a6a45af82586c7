import { InputError } from '../../../core/base/errors.js';
import { withoutAbsent } from '../../../core/base/objects.js';
import { receiptsIn } from '../../../core/delivery/result-payload.js';
import { retried, systemClock } from '../../../core/index.js';
import type { Annotation } from '../../../core/journal/annotation.js';
import type { OperationRecord } from '../../../core/journal/record.js';
import { chainReferenceOf } from '../../../core/original/chain-reference.js';
import { allAbandoned } from '../../runtime/abandoned.js';
import { type Detail, MOST_CHANGED, type Summary } from '../contract.js';
import { engines, find, related } from './found.js';
import { majorOf } from './money.js';
import { newestOf } from './newest.js';
import { refundableOf } from './refundable.js';
import { abandonedSummaryOf, detailOf, summaryOf } from './summary.js';

/** The operations of every environment. */

const PAGE = 200;
const ASK_MS = 20_000;

interface Page {
  /** Newest first. */
  operations: Summary[];
  /** Where the next page starts, epoch ms; absent on the last one. */
  next?: number;
}

/**
 * One page of operations, or those that were asked for by their ids.
 * @param query `ids`: separated by commas, at most 200; the answer leaves out what is not there. `until` (epoch ms): only operations created then or before. Without it the first page, which also has every
 * older operation that is still open.
 */
export async function list(query: { until?: unknown; ids?: unknown }): Promise<Page> {
  if (query.ids !== undefined) return { operations: await byId(query.ids) };
  const until = Number(query.until ?? Number.NaN);
  const isFirst = Number.isNaN(until);
  const sources = (await engines()).map(({ engine }) => engine);
  const page = await newestOf(sources, PAGE, isFirst ? undefined : until);
  const open = isFirst ? (await Promise.all(sources.map((engine) => engine.open()))).flat() : [];
  const ids = [...page, ...open].map(({ operationId }) => operationId);
  const said = new Map<string, readonly Annotation[]>();
  for (const engine of sources) for (const [id, rows] of await engine.annotations(ids)) said.set(id, rows);
  const last = page.at(-1);
  const now = systemClock.now();
  const abandoned = isFirst ? allAbandoned() : [];
  const shown = new Set(page.map(({ operationId }) => operationId));
  const older = open.filter(({ operationId }) => !shown.has(operationId));
  return {
    operations: [
      ...[...page, ...older].map((record) => summaryOf(record, now, said.get(record.operationId))),
      ...abandoned.map((record) => abandonedSummaryOf(record, now)),
    ],
    ...(page.length === PAGE && last !== undefined ? { next: last.createdAt } : {}),
  };
}

/** @throws InputError */
async function byId(asked: unknown): Promise<Summary[]> {
  const ids = typeof asked === 'string' ? [...new Set(asked.split(',').filter(Boolean))] : [];
  if (ids.length === 0 || ids.length > MOST_CHANGED)
    throw new InputError('ids', `1 to ${MOST_CHANGED} ids of operations, separated by commas`, asked);
  const now = systemClock.now();
  const found = await Promise.all(
    (await engines()).map(async ({ engine }) => {
      const records = await readable(ids.map((operationId) => engine.find({ operationId }, 1)));
      if (records.length === 0) return [];
      const said = await engine.annotations(records.map(({ operationId }) => operationId));
      return records.map((record) => summaryOf(record, now, said.get(record.operationId)));
    }),
  );
  const followed = found.flat();
  const known = new Set(followed.map(({ id }) => id));
  const abandoned = allAbandoned().filter(({ operationId: id }) => ids.includes(id) && !known.has(id));
  return [...followed, ...abandoned.map((record) => abandonedSummaryOf(record, now))];
}

/** Without a damaged record, which the journal reports, as in the list. @throws JournalError where none can be read */
async function readable(reading: readonly Promise<OperationRecord[]>[]): Promise<OperationRecord[]> {
  const settled = await Promise.allSettled(reading);
  const read = settled.filter((one) => one.status === 'fulfilled');
  if (read.length === 0) await Promise.all(reading);
  return read.flatMap(({ value }) => value);
}

export async function detail(operationId: string): Promise<Detail | undefined> {
  const found = await find(operationId);
  if (found === undefined) return abandonedDetail(operationId);
  const others = await related(found);
  const said = (await found.engine.annotations([operationId])).get(operationId);
  const refundable = await refundableOf(found, others.followUps);
  const receipts = await found.environment.receipts.of(operationId);
  return detailOf(found.record, others, systemClock.now(), { said, refundable, ...withoutAbsent({ receipts }) });
}

/**
 * Asks the service once more for the receipts of an operation that is over. It has them for a while only.
 * @throws PaymentError where it cannot be asked
 */
export async function fetchReceipts(operationId: string): Promise<object | undefined> {
  const found = await find(operationId);
  const { resultId } = found?.record ?? {};
  if (found === undefined || resultId === undefined) return undefined;
  const signal = AbortSignal.timeout(ASK_MS);
  const polled = await found.engine.client.transactions.result(resultId, { signal });
  if (polled.state === 'result') found.environment.receipts.keep(operationId, receiptsIn(polled.result));
  return { isFound: (await found.environment.receipts.of(operationId)) !== undefined };
}

/**
 * Runs the next check of an open operation now, and asks the status service for its transactions.
 * @throws PaymentError where the status service cannot be asked
 */
export async function checkNow(operationId: string): Promise<object | undefined> {
  const found = await find(operationId);
  if (found === undefined) return undefined;
  const { engine, record } = found;
  const isOpen = await engine.checkNow(operationId);
  const reference = chainReferenceOf(record);
  if (reference === undefined) return { isOpen };
  const signal = AbortSignal.timeout(ASK_MS);
  const chain = await retried(systemClock, signal, () => engine.client.status.all(reference, { signal }));
  const entries = chain.map(({ type = '', finStatus, totalAmount, currency = '' }) => {
    return { type, finStatus, amount: majorOf(totalAmount, currency), currency };
  });
  return { isOpen, entries };
}

function abandonedDetail(operationId: string): Detail | undefined {
  const record = allAbandoned().find((one) => one.operationId === operationId);
  if (record === undefined) return undefined;
  const now = systemClock.now();
  const { reversible: _reversible, canHandle: _canHandle, ...detail } = detailOf(record, { followUps: [] }, now);
  return { ...detail, summary: abandonedSummaryOf(record, now), canCheck: false, canFetchReceipts: false };
}
