import { crc32 } from 'node:zlib';
import { DamagedRecordError } from '../../damaged-record.js';
import { partText } from '../../part-text.js';
import type { OperationRecord } from '../../record.js';

/**
 * A record as it lies in the file: the CRC-32 of what follows (4 bytes, big-endian), `o` for open or `c` for closed (1 byte),
 * and the JSON (UTF-8). The JSON begins with the sequence, which is the record's key too, so that a record found under the
 * key of another is noticed, and with the id, which can be read without the rest.
 */

const CHECKSUM_BYTES = 4;
const HEADER_BYTES = 5;
/** Of a character in UTF-8. */
const MOST_BYTES = 3;
const [OPEN, CLOSED] = [0x6f, 0x63];
/** One process has the embedded journal to itself, so nobody can claim an operation after it. */
const FENCE = 1;

/** Where records are put together. Memory of its own for each would be outside the heap, and cost more than the rest. */
const room = Buffer.allocUnsafeSlow(64 * 1024);

const ID = /^\{"sequence":\d+,"fence":\d+,"age":\d+,"operationId":("(?:[^"\\]|\\.)*")/;
/** Bytes in which every usual id ends. */
const LONGEST_BEGIN = 160;
const OPERATION_ID = /"operationId":"([0-9a-f-]{36})"/;

const SET_BY_JOURNAL = { sequence: undefined, fence: undefined, age: undefined };

const SEQUENCE = /^\{"sequence":(\d+),/;

/**
 * @param sequence of the record, or the damaged key under which it lies
 * @param bytes undefined where the index names a record that is not there
 */
export function damaged(sequence: number | string, bytes?: Buffer): DamagedRecordError {
  const id = bytes && OPERATION_ID.exec(bytes.toString('latin1'))?.[1];
  return new DamagedRecordError(sequence, {
    is: bytes === undefined ? 'missing' : 'damaged',
    disk: 'the disk',
    ...(id === undefined ? {} : { reference: `probably ${id}` }),
  });
}

/** The JSON of a record in pieces, without the fields that the journal sets itself. Joined they would be copied once more. */
export type JsonPieces = readonly [first: string, ...rest: string[]];

/**
 * The JSON of the largest parts of a record is made once for all versions of it. Each piece stays one of its own: to write one that
 * was put together, V8 would copy it once more.
 */
export function jsonOf(operation: OperationRecord): JsonPieces {
  const { origin, request, result } = operation;
  const rest: JsonPieces = [
    JSON.stringify(restOf(operation)).slice(0, -1),
    `,"origin":${partText(origin)},"request":${partText(request)}`,
  ];
  return result === undefined ? [...rest, '}'] : [...rest, ',"result":', partText(result), '}'];
}

/**
 * Without what has its JSON elsewhere, or is set by the journal: JSON leaves out what is undefined. V8 copies a whole object at
 * once, and one without some of its fields name by name.
 */
function restOf(operation: OperationRecord): Partial<OperationRecord> {
  const rest: Partial<OperationRecord> = { ...operation };
  rest.origin = undefined;
  rest.request = undefined;
  // A record that has none of these gets none: V8 would make room for them.
  if (rest.result !== undefined) rest.result = undefined;
  if ('sequence' in rest) Object.assign(rest, SET_BY_JOURNAL);
  return rest;
}

/**
 * The bytes hold until they are made of another record: LMDB copies them as it is given them.
 * @param age of the journal, ms
 */
export function bytesOf(sequence: number, age: number, [first, ...rest]: JsonPieces, closed: boolean): Buffer {
  const pieces = [`${beginOf(sequence)}"fence":${FENCE},"age":${age},`, first.slice(1), ...rest];
  const characters = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const most = HEADER_BYTES + MOST_BYTES * characters;
  const memory = most <= room.length ? room : Buffer.allocUnsafe(most);
  let end = HEADER_BYTES;
  for (const piece of pieces) end += memory.write(piece, end);
  const bytes = memory.subarray(0, end);
  bytes[CHECKSUM_BYTES] = closed ? CLOSED : OPEN;
  bytes.writeUInt32BE(crc32(bytes.subarray(CHECKSUM_BYTES)));
  return bytes;
}

/** @throws DamagedRecordError where bytes are not as {@link bytesOf} made them for this sequence */
export function mustBeSound(sequence: number, bytes: Buffer): void {
  const begin = beginOf(sequence);
  if (!isWhole(bytes) || bytes.toString('latin1', HEADER_BYTES, HEADER_BYTES + begin.length) !== begin)
    throw damaged(sequence, bytes);
}

/** The sequence that bytes say they have, whatever their key says; undefined where they are damaged. */
export function sequenceOf(bytes: Buffer): number | undefined {
  const text = isWhole(bytes)
    ? SEQUENCE.exec(bytes.toString('latin1', HEADER_BYTES, HEADER_BYTES + LONGEST_BEGIN))
    : null;
  return text === null ? undefined : Number(text[1]);
}

/** @param bytes sound ones */
export function recordIn(bytes: Buffer): OperationRecord {
  return JSON.parse(bytes.toString('utf8', HEADER_BYTES));
}

/** Whether sound bytes are of an open operation. Costs less than parsing them. */
export function isOpenIn(bytes: Buffer): boolean {
  return bytes[CHECKSUM_BYTES] === OPEN;
}

/** The `operationId` in sound bytes. Costs less than parsing them. */
export function idIn(bytes: Buffer): string {
  const text = ID.exec(bytes.toString('utf8', HEADER_BYTES, HEADER_BYTES + LONGEST_BEGIN))?.[1];
  return text === undefined ? recordIn(bytes).operationId : JSON.parse(text);
}

function isWhole(bytes: Buffer): boolean {
  return bytes.length > HEADER_BYTES && bytes.readUInt32BE() === crc32(bytes.subarray(CHECKSUM_BYTES));
}

function beginOf(sequence: number): string {
  return `{"sequence":${sequence},`;
}
