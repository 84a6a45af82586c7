import { Seal } from './seal.js';

/** Values on their way from one process to another through a place that others may read. */
export class SealedJson {
  private readonly seal: Seal;

  /** See {@link Seal}. */
  constructor(secret: string, purpose: string, newNonce: () => Buffer) {
    this.seal = new Seal(secret, purpose, newNonce);
  }

  /** @param about what the value belongs to: it opens for nothing else */
  /** See {@link Seal.keyId}. */
  get keyId(): string {
    return this.seal.keyId;
  }

  close(value: unknown, about: string): string {
    return JSON.stringify(this.seal.close(JSON.stringify(value), about));
  }

  /** @throws Error where another secret closed it, for something else, or where it is damaged */
  open(sealed: string, about: string): unknown {
    const text = this.seal.open(JSON.parse(sealed), about);
    if (text === undefined) {
      throw new Error(
        'what another Node-RED wrote cannot be opened: give both the same API key and the same callback secret',
      );
    }
    return JSON.parse(text);
  }
}
