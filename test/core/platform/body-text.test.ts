import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { MAX_BODY, textIn } from '../../../src/core/platform/body-text.js';

const RESULT = '{"statusMessage":"Genehmigt für 10 €"}';

for (const [what, body, packing] of [
  ['as it is', Buffer.from(RESULT), undefined],
  ['as one that says that it is as it is', Buffer.from(RESULT), 'identity'],
  ['behind a byte order mark', Buffer.from(`\ufeff${RESULT}`), undefined],
  ['in UTF-16', Buffer.from(RESULT, 'utf16le'), undefined],
  ['in UTF-16 behind a byte order mark', Buffer.from(`\ufeff${RESULT}`, 'utf16le'), undefined],
  ['in UTF-16, the other way round', Buffer.from(RESULT, 'utf16le').swap16(), undefined],
  ['in UTF-16, the other way round, behind a mark', Buffer.from(`\ufeff${RESULT}`, 'utf16le').swap16(), undefined],
  ['compressed by gzip', gzipSync(RESULT), 'gzip'],
  ['compressed by gzip, in capitals', gzipSync(RESULT), ' GZIP '],
  ['compressed by deflate', deflateSync(RESULT), 'deflate'],
  ['compressed by deflate without a header', deflateRawSync(RESULT), 'deflate'],
  ['compressed by Brotli', brotliCompressSync(RESULT), 'br'],
  ['compressed, and in UTF-16', gzipSync(Buffer.from(RESULT, 'utf16le')), 'gzip'],
  ['unpacked by a proxy that left the header', Buffer.from(RESULT), 'gzip'],
] as const) {
  test(`a result is read that is posted ${what}`, async () => {
    assert.equal(await textIn(body, packing), RESULT);
  });
}

test('what unpacks to as much as a result may be is unpacked, and what unpacks to more is left as it is', async () => {
  for (const [pack, packing] of [
    [gzipSync, 'gzip'],
    [deflateRawSync, 'deflate'],
    [brotliCompressSync, 'br'],
  ] as const) {
    assert.equal((await textIn(pack(' '.repeat(MAX_BODY)), packing)).length, MAX_BODY);
    const left = await textIn(pack(' '.repeat(MAX_BODY + 1)), packing);
    assert.ok(left.length < 2000 && left.trim() !== '');
  }
});

test('what is cut off, empty, or packed in a way that nobody knows is left as it is', async () => {
  for (const [body, packing] of [
    [gzipSync(RESULT).subarray(0, -1), 'gzip'],
    [Buffer.from([0]), undefined],
    [Buffer.alloc(0), 'gzip'],
    [Buffer.alloc(0), undefined],
    [Buffer.from('packed'), 'zstd'],
    [Buffer.from([0, 0x7b, 0]), undefined],
  ] as const) {
    assert.equal(await textIn(body, packing), body.toString('utf8'));
  }
});
