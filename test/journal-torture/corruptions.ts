import type { Draw } from '../truth/draw.js';

/** Ways in which a disk, a cable, a copy that was cut short or a person spoils a file. Each changes the bytes it is given. */

const PAGE = 4096;
const HEADER = 24;
const [BRANCH, LEAF] = [1, 2];

export type Corrupt = (bytes: Buffer, draw: Draw) => Buffer;

export const CORRUPTIONS: Readonly<Record<string, Corrupt>> = {
  'a bit flipped': (bytes, draw) => {
    const at = draw.int(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << draw.int(0, 7));
    return bytes;
  },
  'a bit flipped in what is written': (bytes, draw) => {
    let at = draw.int(0, bytes.length - 1);
    while (bytes[at] === 0) at = (at + 1) % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << draw.int(0, 7));
    return bytes;
  },
  'a bit flipped in the first pages': (bytes, draw) => {
    const at = draw.int(0, 1) * PAGE + draw.int(0, 175);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << draw.int(0, 7));
    return bytes;
  },
  'a bit flipped at the beginning of a page': (bytes, draw) => {
    const at = pageIn(bytes, draw) * PAGE + draw.int(0, 200);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << draw.int(0, 7));
    return bytes;
  },
  'a bit flipped in a key': (bytes, draw) => {
    const keys = keysIn(bytes);
    const [start, size] = keys[draw.int(0, keys.length - 1)] ?? [0, 1];
    const at = start + draw.int(0, size - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << draw.int(0, 7));
    return bytes;
  },
  'a byte replaced': (bytes, draw) => {
    bytes[draw.int(0, bytes.length - 1)] = draw.int(0, 255);
    return bytes;
  },
  'some bytes replaced': (bytes, draw) => {
    const at = draw.int(0, bytes.length - 1);
    for (let place = at; place < Math.min(bytes.length, at + draw.int(2, 600)); place++)
      bytes[place] = draw.int(0, 255);
    return bytes;
  },
  'a sector emptied': (bytes, draw) => {
    const at = draw.int(0, bytes.length / 512 - 1) * 512;
    return bytes.fill(0, at, at + 512);
  },
  'a page emptied': (bytes, draw) => {
    const at = pageIn(bytes, draw) * PAGE;
    return bytes.fill(0, at, at + PAGE);
  },
  'a page of nonsense': (bytes, draw) => {
    const at = pageIn(bytes, draw) * PAGE;
    for (let place = at; place < at + PAGE; place++) bytes[place] = draw.int(0, 255);
    return bytes;
  },
  'a page in place of another': (bytes, draw) => {
    const from = pageIn(bytes, draw) * PAGE;
    bytes.copyWithin(pageIn(bytes, draw) * PAGE, from, from + PAGE);
    return bytes;
  },
  'two pages swapped': (bytes, draw) => {
    const [one, other] = [pageIn(bytes, draw) * PAGE, pageIn(bytes, draw) * PAGE];
    const kept = Buffer.from(bytes.subarray(one, one + PAGE));
    bytes.copyWithin(one, other, other + PAGE);
    kept.copy(bytes, other);
    return bytes;
  },
  'a word of two bytes counted on': (bytes, draw) => {
    const at = draw.int(0, bytes.length / 2 - 1) * 2;
    bytes.writeUInt16LE((bytes.readUInt16LE(at) + draw.int(1, 3)) & 0xffff, at);
    return bytes;
  },
  'cut off': (bytes, draw) => bytes.subarray(0, draw.int(0, bytes.length - 1)),
  'cut off at a page': (bytes, draw) => bytes.subarray(0, pageIn(bytes, draw) * PAGE),
  'more at the end': (bytes, draw) => Buffer.concat([bytes, Buffer.alloc(draw.int(1, 3 * PAGE), draw.int(0, 255))]),
};

function pageIn(bytes: Buffer, draw: Draw): number {
  return draw.int(0, Math.floor(bytes.length / PAGE) - 1);
}

/** Where the keys of all pages lie, and how long they are. */
function keysIn(bytes: Buffer): [start: number, size: number][] {
  const keys: [number, number][] = [];
  for (let page = 2 * PAGE; page < bytes.length; page += PAGE) {
    const kind = bytes.readUInt16LE(page + 18);
    if (kind !== BRANCH && kind !== LEAF) continue;
    const count = Math.min(bytes.readUInt16LE(page + 20) >> 1, PAGE / 8);
    for (let entry = 0; entry < count; entry++) {
      const node = page + HEADER + bytes.readUInt16LE(page + HEADER + entry * 2);
      if (node + 8 > page + PAGE) continue;
      const size = bytes.readUInt16LE(node + 6);
      if (size > 0 && node + 8 + size <= page + PAGE) keys.push([node + 8, size]);
    }
  }
  return keys;
}
