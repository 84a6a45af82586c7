import type { State } from '../state.js';
import { h } from '../support/dom.js';
import { t } from '../support/texts.js';
import { cardFace } from './card-face.js';
import { WALLET } from './wallet-cards.js';

/** The cards to choose from; one is always selected. */
export function wallet(state: State, changed: () => void): HTMLElement {
  const choices = WALLET.map((card) =>
    h(
      'label',
      { class: 'wallet-card' },
      h('input', {
        attrs: { type: 'radio', name: 'card', value: card.id, checked: card === state.card },
        on: {
          change: () => {
            state.card = card;
            changed();
          },
        },
      }),
      cardFace(card),
    ),
  );
  return h(
    'fieldset',
    { class: 'wallet' },
    h('legend', { class: 'label', text: t('wallet.title') }),
    h('div', { class: 'wallet-cards' }, ...choices),
  );
}
