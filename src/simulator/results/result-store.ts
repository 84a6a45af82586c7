import type { Merchant } from '../model/merchant.js';
import type { Variants } from '../model/variants.js';
import { resultBody } from './result.js';
import type { ResultFacts } from './result-facts.js';

/** The service's store of results for polls. */

/** How many results are kept. An older one has expired (404). */
const KEPT = 5_000;

/** A result's JSON text, with or without the mark of a repeated delivery; rendered when first needed. */
export class ResultText {
  private plain: string | undefined;

  constructor(
    readonly facts: ResultFacts,
    private readonly variants: Variants,
    private readonly publicUrl: string,
  ) {}

  asFirst(): string {
    this.plain ??= JSON.stringify(resultBody(this.facts, this.variants, this.publicUrl));
    return this.plain;
  }

  asRepeated(): string {
    if (this.facts.recovered) return this.asFirst();
    return JSON.stringify(resultBody({ ...this.facts, recovered: true }, this.variants, this.publicUrl));
  }
}

interface Kept {
  merchant: Merchant;
  text: ResultText | undefined;
}

export class Results {
  private readonly kept = new Map<string, Kept>();

  open(resultId: string, merchant: Merchant): void {
    this.kept.set(resultId, { merchant, text: undefined });
    if (this.kept.size <= KEPT) return;
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.kept.delete(oldest);
  }

  publish(resultId: string, text: ResultText): void {
    const entry = this.kept.get(resultId);
    if (entry !== undefined) entry.text = text;
  }

  /** `unknown` for another merchant's result too. */
  find(resultId: string, merchant: Merchant): ResultText | 'pending' | 'unknown' {
    const entry = this.kept.get(resultId);
    if (entry === undefined || entry.merchant !== merchant) return 'unknown';
    return entry.text ?? 'pending';
  }
}
