import {
  HEADER,
  kindOf,
  type Meta,
  NODE_HEADER,
  numberOf,
  type PageFile,
  PageKind,
  type Tree,
  transactionOf,
  treeIn,
  wide,
} from './page-file.js';

/**
 * Proves that LMDB can read and write a file: every page that its trees lead to is there, is what its place says, is used
 * once, and is not among the free ones; keys are in order; all counts are right. The values themselves are not read: each
 * record has a checksum of its own.
 */

/** The database that says which form the others have, see `form.ts`. */
const META = 'meta';
const FLAG_OVERFLOW = 1;
const FLAG_TREE = 2;
const FIRST_PAGE = 2;
/** A page, a transaction and a count. */
const PLACE_OF_OVERFLOW = 24;

/** Something in the file is not as LMDB writes it. */
export class StructureError extends Error {}

/** Judges a file by the names of its databases and the content of `meta`. */
export type IsKnown = (names: ReadonlySet<string>, meta: ReadonlyMap<string, string>) => boolean;

/** A flipped bit in the number of a first page makes it look like one that the disk refused. */
const LAST_CHANGE =
  "the last change to the journal's file before it was closed is not there: the disk refused it then, or has lost it since. " +
  'If no error of that time said so, look up the payments of that time';

/** A page that has to be looked at, and between which keys its own must lie. */
interface Task {
  page: number;
  depth: number;
  from?: Buffer | undefined;
  below?: Buffer | undefined;
}

/**
 * Looks at one page after the other, and yields after each.
 * @param isKnown given the content of the database `meta` and the names of all databases, says whether the content of these
 * is what this version writes; where it is not, nothing further is judged. What it throws ends the check
 * @param doubt called with what a person has to know of a file that is sound
 * @throws StructureError, UnknownLayoutError
 */
export function* checkStructure(
  file: PageFile,
  isKnown: IsKnown,
  doubt: (what: string) => void = () => undefined,
): Generator<void, void, void> {
  const meta = newest(file, doubt);
  const used = new UsedPages(meta.lastPage, Math.floor(file.size / file.pageSize));
  const check = (tree: Tree, visit?: Visit, compare: Compare = Buffer.compare): Generator<void, void, void> =>
    new TreeCheck(file, meta, used, compare).run(tree, visit);
  yield* check(meta.free, (_key, value) => takeFreePages(value, used), byNumber);
  used.mustReachLast();
  mustBePlain(meta.main);
  const trees = new Map<string, Tree>();
  yield* check(
    meta.main,
    (key, value, isTree) => isTree && trees.set(key.toString().replace(/\0$/, ''), treeIn(value)),
  );
  const content = new Map<string, string>();
  const ofMeta = trees.get(META);
  if (ofMeta !== undefined) mustBePlain(ofMeta);
  if (ofMeta !== undefined) yield* check(ofMeta, (key, value) => content.set(key.toString(), value.toString()));
  if (!isKnown(new Set(trees.keys()), content)) return;
  trees.delete(META);
  for (const tree of trees.values()) {
    mustBePlain(tree);
    yield* check(tree);
  }
}

/** No database of this form compares keys in a way of its own, or has several values for a key. */
function mustBePlain({ flags, pad }: Tree): void {
  if (flags !== 0 || pad !== 0) throw new StructureError('a tree has other properties than it should');
}

/** Transactions write the two meta pages in turns, so the numbers of the two differ by one, and tell which is whose. */
function newest(file: PageFile, doubt: (what: string) => void): Meta {
  const metas = file.metas();
  if (metas === undefined) throw new StructureError('a first page is damaged');
  const [even, odd] = metas;
  const [last, before] = even.transaction >= odd.transaction ? [even, odd] : [odd, even];
  // Every transaction writes this root. One that is newer than its first page shows a later transaction, which is gone.
  const [root, older] = [rootOf(file, last), rootOf(file, before)];
  const isGone = (root ?? 0) > last.transaction || (older ?? 0) > last.transaction + 1;
  if (isGone) throw new StructureError('a first page is too old');
  // A disk that refuses the last write of a transaction, that of its first page, gets the old number of that page back, beside
  // the new roots. Nobody uses them: the transaction has failed.
  const hasFailed = older === last.transaction + 1;
  // A compacted copy begins like a new file, and goes on at the transaction that was copied.
  const isBare = before.transaction === 0 && (before.main.root === undefined || hasFailed);
  const isCopy = last === odd && isBare && last.transaction % 2 === 1;
  const isNew = last.transaction === 0 || isCopy;
  const isInTurn = last.transaction === before.transaction + 1 && (last.transaction % 2 === 0) === (last === even);
  if (!isNew && !isInTurn) throw new StructureError('the first pages contradict each other');
  if (hasFailed && differInOneBit(before.transaction, last.transaction + 1)) doubt(LAST_CHANGE);
  return last;
}

/** The transaction that wrote the root of a first page; undefined where there is none, or where another page took its place. */
function rootOf(file: PageFile, { main: { root } }: Meta): number | undefined {
  const page = root === undefined ? undefined : file.read(root);
  const isRoot =
    page !== undefined && numberOf(page) === root && (kindOf(page) & ~(PageKind.branch | PageKind.leaf)) === 0;
  return isRoot ? transactionOf(page) : undefined;
}

function differInOneBit(one: number, other: number): boolean {
  const bits = BigInt(one) ^ BigInt(other);
  return (bits & (bits - 1n)) === 0n;
}

/** Which pages were met already: none may be used twice. */
class UsedPages {
  private readonly bits: Uint8Array;

  /**
   * @param last the last page that the file says it uses
   * @param present how many pages the file has; it may end before the last one where that is free
   */
  constructor(
    private readonly last: number,
    private readonly present: number,
  ) {
    // A file that claims more pages than it has fails at the first missing one, so no more bits are needed.
    this.bits = new Uint8Array((Math.min(last, present * 2) >> 3) + 1);
  }

  take(page: number): void {
    if (!(page >= FIRST_PAGE && page <= this.last)) throw new StructureError(`there is no page ${page}`);
    const bit = 1 << (page & 7);
    const byte = this.bits[page >> 3];
    if (byte === undefined || byte & bit) throw new StructureError(`page ${page} is used twice`);
    this.bits[page >> 3] = byte | bit;
  }

  /** A file may end before its last page only where all pages that it lacks are free. Called when the free ones are taken. */
  mustReachLast(): void {
    for (let page = this.present; page <= this.last; page++) {
      const isFree = ((this.bits[page >> 3] ?? 0) & (1 << (page & 7))) !== 0;
      if (!isFree) throw new StructureError('the file is cut off');
    }
  }

  takeWritten(page: number, count: number): void {
    if (page + count > this.present) throw new StructureError(`page ${page} is not in the file`);
    for (let one = page; one < page + count; one++) this.take(one);
  }
}

type Compare = (a: Buffer, b: Buffer) => number;
type Visit = (key: Buffer, value: Buffer, isTree: boolean) => unknown;

/** One tree of pages. */
class TreeCheck {
  private branchPages = 0;
  private leafPages = 0;
  private overflowPages = 0;
  private entries = 0;

  constructor(
    private readonly file: PageFile,
    private readonly meta: Meta,
    private readonly used: UsedPages,
    private readonly compare: Compare,
  ) {}

  *run(tree: Tree, visit?: Visit): Generator<void, void, void> {
    if ((tree.root === undefined) !== (tree.depth === 0)) throw new StructureError('a tree has no depth, or no root');
    const tasks: Task[] = tree.root === undefined ? [] : [{ page: tree.root, depth: tree.depth }];
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
      if (task.depth > 1) tasks.push(...this.branch(task));
      else this.leaf(task, visit);
      yield;
    }
    const { branchPages, leafPages, overflowPages, entries } = tree;
    const isCounted = branchPages === this.branchPages && leafPages === this.leafPages;
    if (!isCounted || overflowPages !== this.overflowPages || entries !== this.entries)
      throw new StructureError('a tree has other pages or entries than it says');
  }

  private branch(task: Task): Task[] {
    this.branchPages++;
    const { page, nodes } = this.nodesOf(task, PageKind.branch);
    // The first key of a branch is not used: it stands for all that come before the second.
    const keys = nodes.map((node, place) => (place === 0 ? undefined : keyOf(page, node)));
    this.mustBeInOrder(keys.slice(1) as Buffer[], task);
    return nodes.map((node, place) => ({
      page: page.readUInt32LE(node) + page.readUInt16LE(node + 4) * 2 ** 32,
      depth: task.depth - 1,
      from: keys[place] ?? task.from,
      below: keys[place + 1] ?? task.below,
    }));
  }

  private leaf(task: Task, visit: Visit | undefined): void {
    this.leafPages++;
    const { page, nodes } = this.nodesOf(task, PageKind.leaf);
    this.entries += nodes.length;
    const keys = nodes.map((node) => keyOf(page, node));
    this.mustBeInOrder(keys, task);
    for (const [place, node] of nodes.entries()) {
      const value = this.valueOf(page, node, visit !== undefined);
      visit?.(keys[place] as Buffer, value, (page.readUInt16LE(node + 4) & FLAG_TREE) !== 0);
    }
  }

  /** The page, and where its nodes begin. */
  private nodesOf({ page: number, depth }: Task, kind: number): { page: Buffer; nodes: number[] } {
    this.used.takeWritten(number, 1);
    const page = this.file.read(number);
    if (page === undefined) throw new StructureError(`page ${number} is not in the file`);
    const isItself = numberOf(page) === number && kindOf(page) === kind && transactionOf(page) <= this.meta.transaction;
    if (!isItself) throw new StructureError(`page ${number} is not what leads to it says`);
    const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)];
    const room = page.length - HEADER;
    if (lower > upper || upper > room || lower === 0 || lower % 2 !== 0) throw new StructureError(`page ${number}`);
    const nodes = Array.from({ length: lower / 2 }, (_, place) => page.readUInt16LE(HEADER + place * 2));
    // Entries fill a page from its end without a gap, each of an even length: a wrong length shows.
    let end = upper;
    for (const node of nodes.toSorted((a, b) => a - b)) {
      if (node !== end || node + NODE_HEADER > room) throw new StructureError(`page ${number} has a gap or an overlap`);
      const size = sizeOf(page, node + HEADER, depth);
      end += size + (size % 2);
    }
    if (end !== room) throw new StructureError(`page ${number} has a gap or an overlap`);
    return { page, nodes: nodes.map((node) => node + HEADER) };
  }

  private valueOf(page: Buffer, node: number, isWanted: boolean): Buffer {
    const at = node + NODE_HEADER + page.readUInt16LE(node + 6);
    const size = page.readUInt32LE(node);
    if (!(page.readUInt16LE(node + 4) & FLAG_OVERFLOW)) return page.subarray(at, at + size);
    const [first, count] = [wide(page, at), wide(page, at + 16)];
    if (count !== Math.floor((HEADER - 1 + size) / this.file.pageSize) + 1)
      throw new StructureError(`a value has ${count} pages, and needs others`);
    this.used.takeWritten(first, count);
    this.overflowPages += count;
    return isWanted ? (this.file.read(first, count)?.subarray(HEADER, HEADER + size) ?? NOTHING) : NOTHING;
  }

  private mustBeInOrder(keys: readonly Buffer[], { page, from, below }: Task): void {
    let before = from;
    for (const [place, key] of keys.entries()) {
      const order = before === undefined ? 1 : this.compare(key, before);
      // A leaf may begin with the very key that leads to it.
      if (order < 0 || (order === 0 && (place > 0 || before !== from))) throw new StructureError(`page ${page}: order`);
      before = key;
    }
    if (below !== undefined && before !== undefined && this.compare(before, below) >= 0 && keys.length > 0)
      throw new StructureError(`page ${page}: order`);
  }
}

const NOTHING = Buffer.alloc(0);

function keyOf(page: Buffer, node: number): Buffer {
  return page.subarray(node + NODE_HEADER, node + NODE_HEADER + page.readUInt16LE(node + 6));
}

/** How long a node is. A long value is not in the page; its place is. */
function sizeOf(page: Buffer, node: number, depth: number): number {
  const key = NODE_HEADER + page.readUInt16LE(node + 6);
  if (depth > 1) return key;
  return key + (page.readUInt16LE(node + 4) & FLAG_OVERFLOW ? PLACE_OF_OVERFLOW : page.readUInt32LE(node));
}

/** The keys of the free pages are numbers of transactions. */
function byNumber(a: Buffer, b: Buffer): number {
  return wide(a, 0) - wide(b, 0);
}

/** A list of free pages: how many places it has; then 0 for an empty one, a page, or minus a count and the first of so many. */
function takeFreePages(list: Buffer, used: UsedPages): void {
  const places = wide(list, 0);
  if (!((places + 1) * 8 <= list.length)) throw new StructureError('a list of free pages is cut off');
  for (let place = 1; place <= places; place++) {
    const entry = Number(list.readBigInt64LE(place * 8));
    if (entry === 0) continue;
    if (entry > 0) used.take(entry);
    else if (place === places) throw new StructureError('a list of free pages is cut off');
    else {
      const first = Number(list.readBigInt64LE(++place * 8));
      for (let page = first; page < first - entry; page++) used.take(page);
    }
  }
}
