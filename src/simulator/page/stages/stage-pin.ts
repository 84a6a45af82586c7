import { PIN } from '../cardholder/wallet-cards.js';
import { h } from '../support/dom.js';
import { t } from '../support/texts.js';
import type { Stage, StageContext } from './stage.js';
import { heading, offer, sum } from './stage-parts.js';

const LONGEST = 12;
const SHORTEST = 4;

/** The PIN screen. Shows dots, never digits. */
export function pinStage({ terminal: { screen }, act }: StageContext): Stage {
  let typed = '';
  const dots = h('div', { class: 'pin', attrs: { role: 'img', 'aria-label': t('pin.digits', { count: 0 }) } });
  const show = (): void => {
    const count = Math.max(SHORTEST, typed.length);
    dots.replaceChildren(
      ...Array.from({ length: count }, (_, at) => h('i', { class: at < typed.length ? 'pin-dot filled' : 'pin-dot' })),
    );
    dots.setAttribute('aria-label', t('pin.digits', { count: typed.length }));
  };
  show();
  return {
    body: [
      sum(screen),
      heading(screen.again === true ? t('screen.pinWrong') : t('screen.pin')),
      dots,
      h('p', { class: 'screen-hint', text: t('pin.hint', { pin: PIN }) }),
      offer(t('pin.skip'), () => act({ do: 'skip-pin' }), 'quiet'),
    ],
    keys: {
      digit(digit) {
        if (typed.length < LONGEST) typed += digit;
        show();
      },
      clear() {
        typed = typed.slice(0, -1);
        show();
      },
      enter() {
        if (typed.length >= SHORTEST) act({ do: 'enter-pin', correct: typed === PIN });
      },
      cancel: () => act({ do: 'cancel' }),
    },
  };
}
