import { randomBytes } from 'node:crypto';

const BYTES = 12;

/** A nonce of AES-GCM. */
export function newNonce(): Buffer {
  return randomBytes(BYTES);
}
