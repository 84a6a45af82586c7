import { chainReferenceOf } from '../../core/chain-reference.js';
import type { Engine } from '../../core/engine.js';
import { retried, systemClock } from '../../core/index.js';
import type { Listener, OperationRecord } from '../../core/operation.js';
import type { Access } from './access.js';
import { allAccesses } from './accesses.js';
import { canBeReversed, type Detail, detailOf, type Summary, summaryOf } from './admin-summary.js';

/** The operations of every environment, and what a person may do about one. */

/** What is reversed from the editor is answered to nobody's flow; callback-in hears of it as of everything. */
const ORIGIN = { node: 'payments-sidebar', message: {} };
const NOBODY: Listener = { tell: () => undefined, progress: () => undefined };

const PAGE = 500;
const ASK_MS = 20_000;

interface Found {
  access: Access;
  engine: Engine;
  record: OperationRecord;
}

interface Page {
  /** Newest first. */
  operations: Summary[];
  /** Where the next page starts, epoch ms; absent on the last one. */
  next?: number;
}

/**
 * @param query `until` (epoch ms): created then or before. Without it the first page, with all that is still open in
 * front.
 */
export async function list(query: { until?: unknown }): Promise<Page> {
  const until = Number(query.until ?? Number.NaN);
  const isFirst = Number.isNaN(until);
  const records: OperationRecord[] = [];
  const open: OperationRecord[] = [];
  for (const { engine } of await engines()) {
    records.push(...(await engine.recent(PAGE, isFirst ? undefined : until)));
    if (isFirst) open.push(...(await engine.open()));
  }
  const page = records.sort((a, b) => b.createdAt - a.createdAt).slice(0, PAGE);
  const last = page.at(-1);
  const now = systemClock.now();
  const older = open.filter(({ operationId }) => !page.some((record) => record.operationId === operationId));
  return {
    operations: [...page, ...older].map((record) => summaryOf(record, now)),
    ...(page.length === PAGE && last !== undefined ? { next: last.createdAt } : {}),
  };
}

export async function detail(operationId: string): Promise<Detail | undefined> {
  const found = await find(operationId);
  if (found === undefined) return undefined;
  return detailOf(found.record, await followUps(found), systemClock.now());
}

/**
 * Asks about an operation at once what would be asked later, and the status service what it knows of it.
 * @throws PaymentError where the status service cannot be asked
 */
export async function check(operationId: string): Promise<object | undefined> {
  const found = await find(operationId);
  if (found === undefined) return undefined;
  const { engine, record } = found;
  const isOpen = engine.lookNow(operationId);
  const reference = chainReferenceOf(record);
  if (reference === undefined) return { isOpen };
  const signal = AbortSignal.timeout(ASK_MS);
  const chain = await retried(systemClock, signal, () => engine.client.status.all(reference, { signal }));
  const entries = chain.map(({ type = '', finStatus, totalAmount, currency = '' }) => {
    return { type, finStatus, minor: totalAmount ?? null, currency };
  });
  return { isOpen, entries };
}

/**
 * Takes a payment back, as a whole. What becomes of that is an operation of its own.
 * @throws InputError, JournalError: nothing was sent
 */
export async function reverse(operationId: string): Promise<object | undefined> {
  const found = await find(operationId);
  if (found === undefined || !canBeReversed(found.record)) return undefined;
  const { access, engine, record } = found;
  access.attach(ORIGIN.node, NOBODY);
  const order = { operation: 'reversal' as const, body: { originalGuid: record.transactionId ?? '' } };
  return { operationId: await engine.submitBackOffice(order, ORIGIN) };
}

async function engines(): Promise<{ access: Access; engine: Engine }[]> {
  const all = await Promise.all(allAccesses().map(async (access) => ({ access, engine: await access.engineIfAny() })));
  return all.flatMap(({ access, engine }) => (engine === undefined ? [] : [{ access, engine }]));
}

async function find(operationId: string): Promise<Found | undefined> {
  for (const { access, engine } of await engines()) {
    const [record] = await engine.find({ operationId }, 1);
    if (record !== undefined) return { access, engine, record };
  }
  return undefined;
}

async function followUps({ engine, record }: Found): Promise<OperationRecord[]> {
  return record.transactionId ? engine.find({ original: record.transactionId }) : [];
}
