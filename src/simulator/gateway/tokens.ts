import type { NewId } from '../../core/base/seams.js';
import type { Card } from '../model/cards.js';
import type { Merchant } from '../model/merchant.js';

interface Kept {
  card: Card;
  merchant: Merchant;
  used: boolean;
}

/** Card tokens. A card has one token per merchant; a token of group S is good for one payment. */
export class Tokens {
  private readonly kept = new Map<string, Kept>();
  private readonly byCard = new Map<string, string>();

  constructor(private readonly newId: NewId) {}

  issue(card: Card, merchant: Merchant): string {
    const owner = `${merchant.id} ${card.pan} ${card.expiry}`;
    const known = this.byCard.get(owner);
    if (known !== undefined && merchant.group !== 'S') return known;
    const token = this.newId().replaceAll('-', '');
    this.kept.set(token, { card, merchant, used: false });
    this.byCard.set(owner, token);
    return token;
  }

  /**
   * The card of a token, for a payment without the card. Undefined for an unknown token, another merchant's, or a
   * used one.
   */
  redeem(token: string, merchant: Merchant): Card | undefined {
    const kept = this.kept.get(token);
    if (kept === undefined || kept.merchant !== merchant || (kept.used && merchant.group === 'S')) return undefined;
    kept.used = true;
    return { ...kept.card, entry: 'CNP', verification: 'NOT_REQUIRED', fallback: false };
  }
}
