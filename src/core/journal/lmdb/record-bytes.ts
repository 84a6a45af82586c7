import { crc32 } from 'node:zlib';
import { JournalError } from '../../base/errors.js';
import type { OperationRecord } from '../record.js';

/**
 * A record as it lies in the file: the CRC-32 of its JSON (4 bytes, big-endian), then the JSON (UTF-8). The JSON begins with
 * the sequence, which is the record's key too, so that a record found under the key of another is noticed.
 */

const CHECKSUM_BYTES = 4;
/** One process has the embedded journal to itself, so nobody else's claim can follow on its own. */
const FENCE = 1;

const OPERATION_ID = /"operationId":"([0-9a-f-]{36})"/;

/** A record that is not what was written. */
export class DamagedRecordError extends JournalError {
  /** @param bytes undefined where the index names a record that is not there */
  constructor(
    readonly sequence: number,
    bytes?: Buffer,
  ) {
    const id = bytes && OPERATION_ID.exec(bytes.toString('latin1'))?.[1];
    super(
      `record ${sequence} of the journal is ${bytes === undefined ? 'missing' : 'damaged'}. What it said of its payment is not ` +
        `known: look the payment up by its reference${id === undefined ? '' : `, probably ${id}`}, and check the disk`,
    );
  }
}

/** The JSON of a record, without the fields that the journal sets itself. */
export function jsonOf(operation: OperationRecord): string {
  return JSON.stringify({ ...operation, sequence: undefined, fence: undefined });
}

/** @param json see {@link jsonOf} */
export function bytesOf(sequence: number, json: string): Buffer {
  const text = `{"sequence":${sequence},"fence":${FENCE},${json.slice(1)}`;
  const bytes = Buffer.allocUnsafe(CHECKSUM_BYTES + Buffer.byteLength(text));
  bytes.write(text, CHECKSUM_BYTES);
  bytes.writeUInt32BE(crc32(bytes.subarray(CHECKSUM_BYTES)));
  return bytes;
}

/** Whether bytes are as {@link bytesOf} made them for this sequence. */
export function areSound(sequence: number, bytes: Buffer): boolean {
  const isWhole = bytes.length > CHECKSUM_BYTES;
  if (!isWhole || bytes.readUInt32BE() !== crc32(bytes.subarray(CHECKSUM_BYTES))) return false;
  return bytes.toString('latin1', CHECKSUM_BYTES, CHECKSUM_BYTES + 40).startsWith(`{"sequence":${sequence},`);
}

/** @throws DamagedRecordError */
export function recordIn(sequence: number, bytes: Buffer): OperationRecord {
  if (!areSound(sequence, bytes)) throw new DamagedRecordError(sequence, bytes);
  return JSON.parse(bytes.toString('utf8', CHECKSUM_BYTES));
}
