import { promisify } from 'node:util';
import { brotliDecompress, inflateRaw, unzip } from 'node:zlib';

/**
 * The text of a callback, however it was packed on its way. What cannot be unpacked stays as it is: whoever reads it finds that it
 * says nothing, which is a question about the payment where the token is right.
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

/** @param packing `Content-Encoding` of the request */
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

/** JSON begins with ASCII characters: a mark in front of them, or the zeros beside them, say how they are written. */
function decoded(body: Buffer): string {
  const [first, second] = body;
  if (first === 0xff && second === 0xfe) return utf16(body);
  if (first !== undefined && first !== 0 && second === 0) return utf16(body);
  const isOtherWay = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  return isOtherWay && body.length % 2 === 0 ? utf16(Buffer.from(body).swap16()) : body.toString('utf8');
}

function utf16(body: Buffer): string {
  return body.toString('utf16le');
}
