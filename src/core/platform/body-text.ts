import { promisify } from 'node:util';
import { brotliDecompress, inflateRaw, unzip } from 'node:zlib';
import { decoded } from '../base/decoded.js';

/**
 * The text of a response or a callback, however it was packed on its way. What cannot be unpacked stays as it is: whoever reads it
 * finds that it says nothing.
 */

/** In bytes, packed and unpacked. A result may carry receipts as HTML. */
export const MAX_BODY = 1024 * 1024;

type Unpack = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const gzip: Unpack = promisify(unzip);

/** By the name in `Content-Encoding`. Some send what they call deflate without its header. */
const PACKINGS: ReadonlyMap<string, readonly Unpack[]> = new Map([
  ['gzip', [gzip]],
  ['x-gzip', [gzip]],
  ['deflate', [gzip, promisify(inflateRaw) as Unpack]],
  ['br', [promisify(brotliDecompress) as Unpack]],
]);

/** @param packing its `Content-Encoding` */
export function textIn(body: Buffer, packing = 'identity'): string | Promise<string> {
  const ways = PACKINGS.get(packing.trim().toLowerCase());
  return ways === undefined ? decoded(body) : unpacked(body, ways).then(decoded);
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
