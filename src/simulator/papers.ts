import type { Chains } from './chains.js';
import type { Answer } from './errors.js';
import { NOT_FOUND } from './errors.js';
import { receiptHtml } from './receipts.js';
import { factsOf } from './result.js';

/** Receipts and signatures, where results carry them as URLs. Whoever knows the address may read them. */
export class Papers {
  constructor(private readonly chains: Chains) {}

  /** Undefined where the path is no paper's. */
  answer([kind, id = '', copy]: readonly string[]): Answer | undefined {
    if (kind === 'signatures') return { status: 200, body: SIGNATURE, contentType: 'image/svg+xml' };
    if (kind !== 'receipts') return undefined;
    const transaction = this.chains.transaction(id);
    if (transaction === undefined || (copy !== 'merchant' && copy !== 'customer')) return NOT_FOUND;
    return { status: 200, body: receiptHtml(factsOf(transaction), copy), contentType: 'text/html; charset=utf-8' };
  }
}

const SIGNATURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><path d="M5 30Q20 5 35 25T65 20T95 25L115 15" ' +
  'fill="none" stroke="black"/></svg>';
