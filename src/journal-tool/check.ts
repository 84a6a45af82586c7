import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileCheck } from '../core/journal/lmdb/check/file-check.js';
import { openDatabases, openRoot } from '../core/journal/lmdb/file/databases.js';
import { mustBeUnderstood } from '../core/journal/lmdb/file/form.js';
import { FILE } from '../core/journal/lmdb/folder.js';
import { AnnotationStore } from '../core/journal/lmdb/rows/annotation-store.js';
import { OrderStore } from '../core/journal/lmdb/rows/order-store.js';
import { ReceiptRows } from '../core/journal/lmdb/rows/receipt-rows.js';
import { Records } from '../core/journal/lmdb/rows/records.js';
import { RepeatRows } from '../core/journal/lmdb/rows/repeat-rows.js';
import { pauseFor } from '../core/journal/lmdb/slices.js';
import { ownFormOf } from './form.js';

/** What a journal is found to be. */
export interface Findings {
  records: number;
  open: number;
  /** What is wrong, in the words of a log. Empty: nothing. */
  damage: string[];
}

/**
 * Proves all of a journal: structure, records and index. Changes nothing. The folder must be locked.
 * @throws JournalError where another version of this package wrote it
 */
export async function checkJournal(folder: string): Promise<Findings> {
  const file = join(folder, FILE);
  if ((await stat(file)).size === 0) return { records: 0, open: 0, damage: ['the file is empty'] };
  const structure = new FileCheck(file, ownFormOf(file));
  try {
    const finding = await structure.run(pauseFor(Number.POSITIVE_INFINITY));
    if (finding === 'damaged') return { records: 0, open: 0, damage: [`its structure: ${structure.damage}`] };
  } finally {
    structure.close();
  }
  const findings = await checkContent(folder, file);
  if (structure.doubt !== '') findings.damage.push(structure.doubt);
  return findings;
}

async function checkContent(folder: string, file: string): Promise<Findings> {
  const root = openRoot(file, { readOnly: true });
  try {
    // Where the structure cannot be read without LMDB, nobody has looked at the form yet.
    mustBeUnderstood(root, folder);
    const findings: Findings = { records: 0, open: 0, damage: [] };
    const databases = openDatabases(root);
    const records = new Records(databases, (error) => findings.damage.push(error.message));
    const orders = new OrderStore(databases, records);
    const repeats = new RepeatRows(databases.repeats, (damage) => findings.damage.push(damage));
    const annotations = new AnnotationStore(databases.annotations, (damage) => findings.damage.push(damage));
    const receipts = new ReceiptRows(databases.receipts, (damage) => findings.damage.push(damage));
    for (const sequence of records.sequences()) {
      findings.records++;
      const operation = records.readOrReport(sequence);
      if (operation === undefined) continue;
      if (!operation.closed) findings.open++;
      if (records.lacksKeys(operation, sequence)) findings.damage.push(`the index does not lead to record ${sequence}`);
      if (orders.lacksKey(operation)) findings.damage.push(`record ${sequence} has lost the key of its order`);
    }
    for (const key of records.idleKeys()) findings.damage.push(`the index leads nowhere by ${key}`);
    for (const key of orders.idleKeys()) findings.damage.push(`the key of an order leads nowhere: ${key}`);
    for (const _ of repeats.check());
    for (const _ of annotations.check());
    receipts.check();
    return findings;
  } finally {
    await root.close();
  }
}
