import type { Screen } from '../../terminal/session/screen.js';
import { money } from '../support/amounts.js';
import { h, icon } from '../support/dom.js';
import { named } from '../support/texts.js';

/** Building blocks of the screens. */

export function heading(text: string): HTMLElement {
  return h('h3', { class: 'screen-heading', text });
}

/** The operation and its amount; empty without an amount. */
export function sum({ operation, amount, currency }: Screen): HTMLElement {
  return h(
    'div',
    { class: 'sum' },
    operation !== undefined && h('span', { class: 'sum-what', text: named('operation', operation) }),
    amount !== undefined &&
      currency !== undefined &&
      h('strong', { class: 'sum-amount', text: money(amount, currency) }),
  );
}

export function offer(text: string, choose: () => void, look: 'main' | 'plain' | 'quiet' = 'plain'): HTMLElement {
  return h('button', { class: `offer offer-${look}`, text, attrs: { type: 'button' }, on: { click: choose } });
}

export function picture(path: string, look: string): HTMLElement {
  return h('div', { class: `picture picture-${look}` }, icon(path));
}
