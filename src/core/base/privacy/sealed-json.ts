import { Seal, type Sealed } from './seal.js';

/** Values on their way from one process to another through a place that others may read. */
export class SealedJson {
  private readonly seal: Seal;
  private readonly seals: readonly Seal[];

  /**
   * See {@link Seal}.
   * @param earlierSecrets open what processes that do not have the secret yet have closed
   */
  constructor(secret: string, earlierSecrets: readonly string[], purpose: string, newNonce: () => Buffer) {
    this.seal = new Seal(secret, purpose, newNonce);
    this.seals = [this.seal, ...earlierSecrets.map((earlier) => new Seal(earlier, purpose, newNonce))];
  }

  /** See {@link Seal.keyId}. */
  get keyId(): string {
    return this.seal.keyId;
  }

  /** @param about what the value belongs to: it opens for nothing else */
  close(value: unknown, about: string): string {
    return JSON.stringify(this.seal.close(JSON.stringify(value), about));
  }

  /** @throws Error where a secret that is not known here closed it, for something else, or where it is damaged */
  open(sealed: string, about: string): unknown {
    const parsed: Sealed = JSON.parse(sealed);
    for (const seal of this.seals) {
      const text = seal.open(parsed, about);
      if (text !== undefined) return JSON.parse(text);
    }
    throw new Error(
      'what another Node-RED wrote cannot be opened: give both the same API key and the same callback secret',
    );
  }
}
