import type { NewId } from '../../core/base/seams.js';
import type { Card } from '../model/cards.js';
import type { Merchant } from '../model/merchant.js';

interface Kept {
  card: Card;
  merchant: Merchant;
  used: boolean;
}

/** Card tokens. The same card has the same token at the same merchant; those of group S are good for one payment. */
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

  /** The card of a token, as a card that is not present; undefined where the token is unknown, foreign or used up. */
  redeem(token: string, merchant: Merchant): Card | undefined {
    const kept = this.kept.get(token);
    if (kept === undefined || kept.merchant !== merchant || (kept.used && merchant.group === 'S')) return undefined;
    kept.used = true;
    return { ...kept.card, entry: 'CNP', verification: 'NOT_REQUIRED', fallback: false };
  }
}
