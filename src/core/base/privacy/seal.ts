import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/** A text that only the secret opens, and only for what it was sealed for. */
export interface Sealed {
  /** Which secret opens it. */
  key: string;
  /** Base64. */
  nonce: string;
  /** Base64: the encrypted text, and behind it the tag. */
  box: string;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const TAG_BYTES = 16;

/** AES-256-GCM under a key that HKDF-SHA-256 derives from a secret. */
export class Seal {
  private readonly key: Buffer;
  /** Tells one key from another, and nothing about either. */
  readonly keyId: string;

  /**
   * @param purpose keeps the key apart from any other of the same secret
   * @param newNonce 12 bytes, never the same twice
   */
  constructor(
    secret: string,
    purpose: string,
    private readonly newNonce: () => Buffer,
  ) {
    this.key = derived(secret, purpose, KEY_BYTES);
    this.keyId = derived(secret, `${purpose}, id of the key`, KEY_ID_BYTES).toString('hex');
  }

  /** @param about what the text belongs to: it opens for nothing else */
  close(text: string, about: string): Sealed {
    const nonce = this.newNonce();
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(about));
    const box = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { key: this.keyId, nonce: nonce.toString('base64'), box: box.toString('base64') };
  }

  /** Undefined where another key closed it, for something else, or where a bit has changed. */
  open({ key, nonce, box }: Sealed, about: string): string | undefined {
    if (key !== this.keyId) return undefined;
    const bytes = Buffer.from(box, 'base64');
    try {
      const decipher = createDecipheriv(CIPHER, this.key, Buffer.from(nonce, 'base64'), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}

function derived(secret: string, info: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', info, bytes));
}
