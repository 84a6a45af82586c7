import type { Chains } from '../gateway/chains.js';
import { receiptHtml } from '../results/receipts.js';
import { factsOf } from '../results/result-facts.js';
import type { Signatures } from '../results/signatures.js';
import type { Answer } from '../wire/errors.js';
import { NOT_FOUND } from '../wire/errors.js';

/** Serves receipts and signatures where results carry them as URLs. Anyone who knows the address may read them. */
export class Papers {
  constructor(
    private readonly chains: Chains,
    private readonly signatures: Signatures,
  ) {}

  /** Undefined if the path is not that of a receipt or signature. */
  answer([kind, id = '', copy]: readonly string[]): Answer | undefined {
    if (kind === 'signatures') return { status: 200, body: this.signatures.picture(id), contentType: 'image/svg+xml' };
    if (kind !== 'receipts') return undefined;
    const transaction = this.chains.transaction(id);
    if (transaction === undefined || (copy !== 'merchant' && copy !== 'customer')) return NOT_FOUND;
    return { status: 200, body: receiptHtml(factsOf(transaction), copy), contentType: 'text/html; charset=utf-8' };
  }
}
