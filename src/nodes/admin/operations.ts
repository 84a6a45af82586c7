import type { Listener } from '../../core/delivery/listener.js';
import type { Engine } from '../../core/engine/engine.js';
import { retried, systemClock } from '../../core/index.js';
import { type OperationRecord, originalIn } from '../../core/journal/record.js';
import { chainReferenceOf } from '../../core/original/chain-reference.js';
import { allAbandoned } from '../runtime/abandoned.js';
import type { EnvironmentRuntime } from '../runtime/environment-runtime.js';
import { allEnvironments } from '../runtime/registry.js';
import type { Detail, Summary } from './contract.js';
import { majorOf } from './money.js';
import { newestOf } from './newest.js';
import { Conflict } from './respond.js';
import { abandonedSummaryOf, detailOf, type Related, reversalAmong, reversibleAs, summaryOf } from './summary.js';

/** The operations of every environment, and the actions of a person on one of them. */

/** No flow waits for the result of a reversal from the editor; callback-in receives it like every result. */
const ORIGIN = { node: 'payments-sidebar', message: {} };
const IGNORE: Listener = { deliver: () => undefined, progress: () => undefined };

const PAGE = 200;
const ASK_MS = 20_000;

interface Found {
  environment: EnvironmentRuntime;
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
 * One page of operations.
 * @param query `until` (epoch ms): only operations created then or before. Without it the first page, which also has every
 * older operation that is still open.
 */
export async function list(query: { until?: unknown }): Promise<Page> {
  const until = Number(query.until ?? Number.NaN);
  const isFirst = Number.isNaN(until);
  const sources = (await engines()).map(({ engine }) => engine);
  const page = await newestOf(sources, PAGE, isFirst ? undefined : until);
  const open = isFirst ? (await Promise.all(sources.map((engine) => engine.open()))).flat() : [];
  const last = page.at(-1);
  const now = systemClock.now();
  const abandoned = isFirst ? allAbandoned() : [];
  const shown = new Set(page.map(({ operationId }) => operationId));
  const older = open.filter(({ operationId }) => !shown.has(operationId));
  return {
    operations: [
      ...[...page, ...older].map((record) => summaryOf(record, now)),
      ...abandoned.map((record) => abandonedSummaryOf(record, now)),
    ],
    ...(page.length === PAGE && last !== undefined ? { next: last.createdAt } : {}),
  };
}

export async function detail(operationId: string): Promise<Detail | undefined> {
  const found = await find(operationId);
  if (found === undefined) return abandonedDetail(operationId);
  return detailOf(found.record, await related(found), systemClock.now());
}

/**
 * Runs the next check of an open operation now, and asks the status service for its transactions.
 * @throws PaymentError where the status service cannot be asked
 */
export async function checkNow(operationId: string): Promise<object | undefined> {
  const found = await find(operationId);
  if (found === undefined) return undefined;
  const { engine, record } = found;
  const isOpen = engine.checkNow(operationId);
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
  const { reversible: _reversible, ...detail } = detailOf(record, { followUps: [] }, now);
  return { ...detail, summary: abandonedSummaryOf(record, now), canCheck: false };
}

/** Ids of operations whose reversal is not in the journal yet. */
const reversing = new Set<string>();

/**
 * Reverses a payment as a whole, once. The reversal is an operation of its own.
 * @throws Conflict where a reversal is under way or done. InputError, JournalError: nothing was sent
 */
export async function reverse(operationId: string): Promise<object | undefined> {
  if (reversing.has(operationId)) throw alreadyReversed();
  reversing.add(operationId);
  try {
    const found = await find(operationId);
    return found && (await reverseUnlessDone(found));
  } finally {
    reversing.delete(operationId);
  }
}

async function reverseUnlessDone(found: Found): Promise<object | undefined> {
  const { environment, engine, record } = found;
  const { followUps } = await related(found);
  const now = systemClock.now();
  if (reversalAmong(followUps, summaryOf(record, now), now) !== undefined) throw alreadyReversed();
  if (reversibleAs(record, followUps) === undefined) return undefined;
  environment.attach(ORIGIN.node, IGNORE);
  const order = { operation: 'reversal' as const, body: { originalGuid: record.transactionId ?? '' } };
  return { operationId: await engine.submitBackOffice(order, ORIGIN) };
}

function alreadyReversed(): Conflict {
  return new Conflict('ALREADY_REVERSED', 'it has been reversed already, or is being reversed now');
}

async function engines(): Promise<{ environment: EnvironmentRuntime; engine: Engine }[]> {
  const all = await Promise.all(
    allEnvironments().map(async (environment) => ({ environment, engine: await environment.engineIfAny() })),
  );
  return all.flatMap(({ environment, engine }) => (engine === undefined ? [] : [{ environment, engine }]));
}

async function find(operationId: string): Promise<Found | undefined> {
  for (const { environment, engine } of await engines()) {
    const [record] = await engine.find({ operationId }, 1);
    if (record !== undefined) return { environment, engine, record };
  }
  return undefined;
}

async function related({ engine, record }: Found): Promise<Related> {
  const { transactionId } = record;
  const about = originalIn(record);
  const [original] = about ? await engine.find({ transactionId: about }, 1) : [];
  return { original, followUps: transactionId ? await engine.find({ original: transactionId }) : [] };
}
