import { hash } from 'node:crypto';

/**
 * The reference of an attempt: a UUID v4 that follows from the operation, so that a journal restored from a backup can ask
 * for attempts that it does not know of.
 * @param attempt counted from 1: the first is the operation's own id
 */
export function attemptReference(operationId: string, attempt: number): string {
  if (attempt === 1) return operationId;
  const hex = hash('sha256', `${operationId} ${attempt}`, 'hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The references of an operation with one of them as the latest. */
export function withLast(references: readonly string[], reference: string): string[] {
  return [...references.filter((other) => other !== reference), reference];
}
