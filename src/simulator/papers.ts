import type { Chains } from './chains.js';
import type { Answer } from './errors.js';
import { NOT_FOUND } from './errors.js';
import { receiptHtml } from './receipts.js';
import { factsOf } from './result.js';
import type { Signatures } from './signatures.js';

/** Receipts and signatures, where results carry them as URLs. Whoever knows the address may read them. */
export class Papers {
  constructor(
    private readonly chains: Chains,
    private readonly signatures: Signatures,
  ) {}

  /** Undefined where the path is no paper's. */
  answer([kind, id = '', copy]: readonly string[]): Answer | undefined {
    if (kind === 'signatures') return { status: 200, body: this.signatures.picture(id), contentType: 'image/svg+xml' };
    if (kind !== 'receipts') return undefined;
    const transaction = this.chains.transaction(id);
    if (transaction === undefined || (copy !== 'merchant' && copy !== 'customer')) return NOT_FOUND;
    return { status: 200, body: receiptHtml(factsOf(transaction), copy), contentType: 'text/html; charset=utf-8' };
  }
}
