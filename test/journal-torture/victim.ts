import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { JournalError } from '../../src/core/base/errors.js';
import type { Journal } from '../../src/core/journal/journal.js';
import { openLmdbJournal } from '../../src/core/journal/lmdb/lmdb-journal.js';
import { poolStore } from '../../src/core/journal/lmdb/store-pool.js';
import { type OperationRecord, originalIn } from '../../src/core/journal/record.js';
import { given, sampleRecord } from '../core/journal/sample-record.js';
import { ENVIRONMENTS } from './sample.js';

/**
 * A process that works with spoiled journals, one after the other, and says of each what became of it. The file it is given
 * names what the journal should hold.
 */

export interface Outcome {
  became: 'movedAside' | 'detected' | 'harmless' | 'silent';
  why: string;
}

/** What somebody would see who asks for a payment. */
type Seen = 'as it was' | 'refused' | 'not there' | 'another';

async function endure(folder: string, records: readonly OperationRecord[]): Promise<Outcome> {
  const reports: string[] = [];
  const failures: string[] = [];
  const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
  let refusals = 0;
  const isReported = ({ sequence }: OperationRecord): boolean =>
    reports.some((report) => report.startsWith(`record ${sequence} of the journal is `));
  const look = async (when: string, mayLack: (record: OperationRecord) => boolean): Promise<void> => {
    for (const record of records) {
      for (const [query, seen] of await seenOf(journal, record)) {
        if (seen === 'refused') refusals++;
        if (seen === 'another' || (seen === 'not there' && !mayLack(record)))
          failures.push(`${when}: ${record.operationId} by ${query} is ${seen}`);
      }
    }
  };
  // What the check in the background has not reached yet may be missing, but never be another.
  await look('at once', () => true);
  await repeat(journal, records, failures, () => refusals++);
  await work(journal, records, failures).catch((error) => noteRefusal(error, () => refusals++));
  const { store, leave } = await poolStore(folder);
  await store.checked;
  await leave();
  await look('once checked', isReported);
  const open = (await Promise.all(ENVIRONMENTS.map((environment) => journal.open(environment)))).flat();
  const hidden = records.filter(
    ({ closed, operationId }) => !closed && !open.some((one) => one.operationId === operationId),
  );
  if (!hidden.every(isReported)) failures.push(`${hidden.length} open ones are hidden`);
  await journal.close();
  if (failures.length > 0) return { became: 'silent', why: failures[0] ?? '' };
  if (reports.length > 0 || refusals > 0) return { became: 'detected', why: reports[0] ?? 'refused' };
  return { became: 'harmless', why: '' };
}

/** New payments, and one that goes on: what is damaged must not spoil them. */
async function work(journal: Journal, records: readonly OperationRecord[], failures: string[]): Promise<void> {
  const fresh = Array.from({ length: 10 }, (_, count) => sampleRecord({ operationId: `fresh-${count}` }));
  for (const one of fresh) await journal.record(one);
  for (const one of fresh) await journal.advance({ ...one, transactionId: `of-${one.operationId}`, closed: true });
  for (const one of fresh) {
    const [found] = given(await journal.find({ transactionId: `of-${one.operationId}` }));
    if (found?.operationId !== one.operationId) failures.push('a new payment is not found');
  }
  const open = records.filter(({ closed }) => !closed).slice(0, 20);
  for (const record of open) {
    // The same content: it is compared later.
    await journal.advance(record).catch((error) => noteRefusal(error, () => undefined));
  }
}

/** Sends every order with a key again: none may be let through. */
async function repeat(
  journal: Journal,
  records: readonly OperationRecord[],
  failures: string[],
  countRefusal: () => void,
): Promise<void> {
  for (const { operationId, environment, origin } of records) {
    if (origin.key === undefined) continue;
    const again = sampleRecord({ operationId: `again-${operationId}`, environment, origin });
    const taken = await journal.record(again).catch((error) => noteRefusal(error, countRefusal));
    if (taken !== undefined && 'attempt' in taken) failures.push(`the order of ${operationId} is let through again`);
  }
}

async function seenOf(journal: Journal, record: OperationRecord): Promise<[string, Seen][]> {
  const { operationId, transactionId } = record;
  const original = originalIn(record);
  return Promise.all([
    see('id', journal.find({ operationId }), record),
    ...(transactionId === undefined ? [] : [see('transaction', journal.find({ transactionId }), record)]),
    ...(original === undefined ? [] : [see('original', journal.find({ original }), record)]),
  ]);
}

async function see(by: string, finding: Promise<OperationRecord[]>, record: OperationRecord): Promise<[string, Seen]> {
  try {
    const found = given(await finding).find(({ operationId }) => operationId === record.operationId);
    if (found === undefined) return [by, 'not there'];
    return [by, isDeepStrictEqual([found], given([record])) ? 'as it was' : 'another'];
  } catch (error) {
    noteRefusal(error, () => undefined);
    return [by, 'refused'];
  }
}

function noteRefusal(error: unknown, count: () => void): void {
  if (!(error instanceof JournalError)) throw error;
  count();
}

async function outcomeOf(folder: string, records: readonly OperationRecord[]): Promise<Outcome> {
  try {
    return await endure(folder, records);
  } catch (error) {
    if (!(error instanceof JournalError)) return { became: 'silent', why: `a raw error: ${String(error)}` };
    const { message } = error;
    return { became: message.includes('was moved to') ? 'movedAside' : 'detected', why: message };
  }
}

async function main(truth: string): Promise<void> {
  const records: OperationRecord[] = JSON.parse(await readFile(truth, 'utf8'));
  process.on('message', (folder: string) => {
    void outcomeOf(folder, records).then((outcome) => process.send?.(outcome));
  });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}

void main(process.argv[2] ?? '');
