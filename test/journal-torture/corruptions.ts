import type { Draw } from '../truth/draw.js';

/** Ways in which a disk, a cable, a copy that was cut short or a person spoils a file. Each changes the bytes it is given. */

const PAGE = 4096;

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
