import { money } from '../support/amounts.js';
import { h } from '../support/dom.js';
import { t } from '../support/texts.js';
import type { Stage, StageContext } from './stage.js';
import { heading, offer, sum } from './stage-parts.js';

const LONGEST = 9;

/** The tip screen: a percentage, a custom amount, or no tip. */
export function tipStage({ terminal: { screen }, act }: StageContext): Stage {
  const { tip, amount = 0, currency = '' } = screen;
  if (tip === undefined) return { body: [], keys: {} };
  let typed = '';
  const own = h('output', { class: 'tip-own', attrs: { 'aria-live': 'polite' } });
  const show = (): void => {
    own.textContent = typed === '' ? '' : money(Number(typed), currency);
    own.hidden = typed === '';
  };
  show();
  const choices = tip.percentages.map((percentage) =>
    h(
      'button',
      {
        class: 'tip-choice',
        attrs: { type: 'button' },
        on: { click: () => act({ do: 'choose-tip', percentage }) },
      },
      h('b', { text: `${percentage} %` }),
      h('span', { text: money(Math.floor((amount * percentage) / 100), currency) }),
    ),
  );
  return {
    body: [
      sum(screen),
      heading(tip.header === '' ? t('screen.tip') : tip.header),
      h('div', { class: 'tip-choices' }, ...choices),
      own,
      ...(tip.enterAmount ? [h('p', { class: 'screen-hint', text: t('tip.own') })] : []),
      ...(tip.skip ? [offer(t('tip.none'), () => act({ do: 'choose-tip' }), 'quiet')] : []),
      ...(tip.footer === '' ? [] : [h('p', { class: 'screen-hint', text: tip.footer })]),
    ],
    keys: {
      digit(digit) {
        if (tip.enterAmount && typed.length < LONGEST) typed = (typed + digit).replace(/^0+/, '');
        show();
      },
      clear() {
        typed = typed.slice(0, -1);
        show();
      },
      enter() {
        if (typed !== '') act({ do: 'choose-tip', amount: Number(typed) });
      },
      cancel: () => act({ do: 'cancel' }),
    },
  };
}
