import type { Merchant } from '../model/merchant.js';
import type { Variants } from '../model/variants.js';
import { oddResult } from './odd-results.js';
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
    this.plain ??= this.written(this.facts);
    return this.plain;
  }

  asRepeated(): string {
    if (this.facts.recovered) return this.asFirst();
    return this.written({ ...this.facts, recovered: true });
  }

  private written(facts: ResultFacts): string {
    return JSON.stringify(oddResult(resultBody(facts, this.variants, this.publicUrl), facts.oddity));
  }
}

/** Where results can be polled for a minute only. */
const SHORT_LIFE = 60_000;

interface Kept {
  merchant: Merchant;
  text: ResultText | undefined;
  /** Epoch ms. */
  publishedAt: number;
}

export class Results {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly now: () => number,
    private readonly variants: Variants,
  ) {}

  open(resultId: string, merchant: Merchant): void {
    this.kept.set(resultId, { merchant, text: undefined, publishedAt: 0 });
    if (this.kept.size <= KEPT) return;
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.kept.delete(oldest);
  }

  publish(resultId: string, text: ResultText): void {
    const entry = this.kept.get(resultId);
    if (entry === undefined) return;
    entry.text = text;
    entry.publishedAt = this.now();
  }

  /** `unknown` for another merchant's result too. */
  find(resultId: string, merchant: Merchant): ResultText | 'pending' | 'unknown' {
    const entry = this.kept.get(resultId);
    if (entry === undefined || entry.merchant !== merchant || this.hasExpired(entry)) return 'unknown';
    return entry.text ?? 'pending';
  }

  private hasExpired({ text, publishedAt }: Kept): boolean {
    const isOld = text !== undefined && this.now() - publishedAt >= SHORT_LIFE;
    return isOld && this.variants.resultLife === 'minute';
  }
}
