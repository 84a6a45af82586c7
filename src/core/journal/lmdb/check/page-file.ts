import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { JournalError } from '../../../base/errors.js';

/**
 * The pages of an LMDB file, read with plain reads. LMDB itself maps the file into memory, where a torn or overwritten page
 * can end the process instead of throwing; what is read here cannot. The layout is that of LMDB's data version 2, 64 bit,
 * little-endian, which is what the `lmdb` package writes on every platform it has binaries for but 32-bit ones.
 */

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
/** Bytes at the start of each page. */
export const HEADER = 24;
/** Bytes at the start of each entry in a page. */
export const NODE_HEADER = 8;
const META = { address: 8, mapSize: 16, databases: 24, lastPage: 120, transaction: 128 };
/** More than any journal has, and less than an address space. */
const LARGEST_MAP = 2 ** 45;
const DATABASE_SIZE = 48;
/** Stands for the root of a tree that has no page. */
const NO_PAGE = 0xffff_ffff_ffff_ffffn;

export const PageKind = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const;

/** What the file says of one tree of pages. */
export interface Tree {
  /** How keys and values are compared; in the tree of free pages, how the file is opened. */
  flags: number;
  /** 0; in the tree of free pages, the length of a page. */
  pad: number;
  depth: number;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
  /** Undefined where the tree is empty. */
  root: number | undefined;
}

/** One of the two first pages. They take turns: the one with the higher transaction counts. */
export interface Meta {
  pageSize: number;
  free: Tree;
  main: Tree;
  lastPage: number;
  transaction: number;
}

/** The file has another layout than this version of the package knows, so nothing can be said of it. */
class UnknownLayoutError extends JournalError {
  constructor() {
    super(
      'another version of its library wrote the file; it is left as it is: update this package, or choose another folder',
    );
  }
}

export class PageFile {
  private readonly handle: number;
  private isClosed = false;
  pageSize = 4096;

  constructor(path: string) {
    this.handle = openSync(path, 'r');
  }

  get size(): number {
    return fstatSync(this.handle).size;
  }

  /** May be called more than once. */
  close(): void {
    if (!this.isClosed) closeSync(this.handle);
    this.isClosed = true;
  }

  /** One page, or several in a row; undefined where the file ends before. */
  read(page: number, count = 1): Buffer | undefined {
    return this.readAt(page * this.pageSize, count * this.pageSize);
  }

  /** Undefined where the file ends before. */
  readAt(offset: number, size: number): Buffer | undefined {
    if (offset + size > this.size) return undefined;
    const bytes = Buffer.allocUnsafe(size);
    return readSync(this.handle, bytes, 0, size, offset) === size ? bytes : undefined;
  }

  /** Both meta pages; undefined where one is damaged. @throws UnknownLayoutError */
  metas(): [Meta, Meta] | undefined {
    const first = this.meta(0);
    if (first === undefined) return undefined;
    this.pageSize = first.pageSize;
    const second = this.meta(1);
    const isSame = second?.pageSize === first.pageSize && second.free.flags === first.free.flags;
    return isSame ? [first, second] : undefined;
  }

  private meta(page: number): Meta | undefined {
    const bytes = this.read(page);
    if (bytes === undefined || numberOf(bytes) !== page || !(kindOf(bytes) & PageKind.meta)) return undefined;
    const body = bytes.subarray(HEADER);
    if (body.readUInt32LE(0) !== MAGIC) return undefined;
    if (body.readUInt16LE(4) !== DATA_VERSION) throw new UnknownLayoutError();
    const pageSize = body.readUInt32LE(META.databases);
    const isPowerOfTwo = (pageSize & (pageSize - 1)) === 0;
    if (pageSize < 512 || pageSize > 65_536 || !isPowerOfTwo) return undefined;
    const mapSize = wide(body, META.mapSize);
    const isMap =
      mapSize >= (wide(body, META.lastPage) + 1) * pageSize && mapSize <= LARGEST_MAP && mapSize % pageSize === 0;
    if (!isMap || wide(body, META.address) !== 0) return undefined;
    return {
      pageSize,
      free: treeIn(body.subarray(META.databases)),
      main: treeIn(body.subarray(META.databases + DATABASE_SIZE)),
      lastPage: wide(body, META.lastPage),
      transaction: wide(body, META.transaction),
    };
  }
}

/** What the 48 bytes say that describe a tree. */
export function treeIn(bytes: Buffer): Tree {
  const root = bytes.readBigUInt64LE(40);
  return {
    flags: bytes.readUInt16LE(4),
    pad: bytes.readUInt32LE(0),
    depth: bytes.readUInt16LE(6),
    branchPages: wide(bytes, 8),
    leafPages: wide(bytes, 16),
    overflowPages: wide(bytes, 24),
    entries: wide(bytes, 32),
    root: root === NO_PAGE ? undefined : Number(root),
  };
}

/** The number that a page says it has. */
export function numberOf(page: Buffer): number {
  return wide(page, 0);
}

/** The transaction that wrote the page. */
export function transactionOf(page: Buffer): number {
  return wide(page, 8);
}

export function kindOf(page: Buffer): number {
  return page.readUInt16LE(18);
}

/** A 64-bit number. No sound file holds one above 2^53; such a one loses digits, and stays too large. */
export function wide(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4) * 2 ** 32;
}
