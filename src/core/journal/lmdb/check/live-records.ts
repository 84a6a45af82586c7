import { JournalError } from '../../../base/errors.js';
import { isOwnForm } from '../file/form.js';
import { sequenceIn } from '../rows/index-keys.js';
import { HEADER, NODE_HEADER, type PageFile, type Tree, treeIn } from './page-file.js';
import { checkStructure } from './structure-check.js';

/** The database of records, as LMDB writes its name. */
const RECORDS = 'records\0';

/** The sequences of all records that a file has; undefined where its structure is damaged, so that nobody can say. @throws UnknownLayoutError */
export function liveRecords(file: PageFile): ReadonlySet<number> | undefined {
  try {
    for (const _ of checkStructure(file, isOwnForm));
  } catch (error) {
    if (error instanceof JournalError) throw error;
    return undefined;
  }
  const sequences = new Set<number>();
  const metas = file.metas();
  const main = metas && (metas[0].transaction > metas[1].transaction ? metas[0] : metas[1]).main;
  for (const database of main === undefined ? [] : entriesOf(file, main)) {
    if (database.key !== RECORDS) continue;
    for (const { key } of entriesOf(file, treeIn(database.value))) sequences.add(sequenceIn(key));
  }
  return sequences;
}

/** The entries of a sound tree. @yields values only as far as they lie in the page */
function* entriesOf(file: PageFile, { root, depth }: Tree): Iterable<{ key: string; value: Buffer }> {
  const tasks = root === undefined ? [] : [{ number: root, depth }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const page = file.read(task.number);
    if (page === undefined) continue;
    for (let place = 0; place < page.readUInt16LE(20) / 2; place++) {
      const node = HEADER + page.readUInt16LE(HEADER + place * 2);
      const value = node + NODE_HEADER + page.readUInt16LE(node + 6);
      if (task.depth === 1)
        yield { key: page.toString('latin1', node + NODE_HEADER, value), value: page.subarray(value) };
      else
        tasks.push({ number: page.readUInt32LE(node) + page.readUInt16LE(node + 4) * 2 ** 32, depth: task.depth - 1 });
    }
  }
}
