import { h } from '../support/dom.js';
import { t } from '../support/texts.js';
import { PIN, type WalletCard } from './wallet-cards.js';

/** Draws the front of a card. */
export function cardFace({ id, scheme, kind, last4, entries }: WalletCard): HTMLElement {
  const hasChip = entries.includes('ICC');
  return h(
    'span',
    { class: `card card-${id}` },
    h('span', { class: 'card-scheme', text: scheme }),
    h('span', { class: 'card-kind', text: t(kind) }),
    hasChip && h('span', { class: 'card-chip' }),
    h('span', { class: 'card-number', text: `•••• ${last4}` }),
    hasChip && h('span', { class: 'card-pin', text: t('card.pin', { pin: PIN }) }),
  );
}
