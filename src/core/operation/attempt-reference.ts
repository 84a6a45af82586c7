import { createHash } from 'node:crypto';

/**
 * The reference of an attempt: a UUID v4 that follows from the operation, so that a journal restored from a backup can ask
 * for attempts that it does not know of.
 * @param attempt counted from 1: the first is the operation's own id
 */
export function attemptReference(operationId: string, attempt: number): string {
  if (attempt === 1) return operationId;
  const bytes = createHash('sha256').update(`${operationId} ${attempt}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
