import { promisify } from 'node:util';
import { brotliDecompress, inflateRaw, unzip } from 'node:zlib';
import { decoded } from '../base/decoded.js';

/**
 * The text of a response or a callback, however it was packed on its way. What cannot be unpacked stays as it is: whoever reads it
 * finds that it says nothing.
 */

/** In bytes, packed and unpacked. A result may carry receipts as HTML. */
export const MAX_BODY = 1024 * 1024;

/** A callback is unpacked before its token is checked, so nobody may order more work than this. */
const MOST_PACKINGS = 2;

type Unpack = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const gzip: Unpack = promisify(unzip);

/** By the name in `Content-Encoding`. Some send what they call deflate without its header. */
const PACKINGS: ReadonlyMap<string, readonly Unpack[]> = new Map([
  ['gzip', [gzip]],
  ['x-gzip', [gzip]],
  ['deflate', [gzip, promisify(inflateRaw) as Unpack]],
  ['br', [promisify(brotliDecompress) as Unpack]],
]);

/** @param packing its `Content-Encoding`: each that packed it may have added to that, after a comma or in a header of its own */
export function textIn(body: Buffer, packing?: string | readonly string[]): string | Promise<string> {
  if (packing === undefined) return decoded(body);
  const packings = String(packing)
    .split(',')
    .map((name) => PACKINGS.get(name.trim().toLowerCase()))
    .filter((ways) => ways !== undefined)
    .slice(-MOST_PACKINGS);
  return packings.length === 0 ? decoded(body) : unpackedFrom(body, packings).then(decoded);
}

/** The last packing comes off first. What is named twice may have been done once. */
async function unpackedFrom(body: Buffer, packings: readonly (readonly Unpack[])[]): Promise<Buffer> {
  let inner = body;
  for (const ways of [...packings].reverse()) inner = await unpacked(inner, ways);
  return inner;
}

async function unpacked(body: Buffer, ways: readonly Unpack[]): Promise<Buffer> {
  for (const unpack of ways) {
    try {
      // The limit stops what unpacks to far more than it is before it costs memory.
      return await unpack(body, { maxOutputLength: MAX_BODY });
    } catch {
      // Packed in another way, or in none.
    }
  }
  return body;
}
