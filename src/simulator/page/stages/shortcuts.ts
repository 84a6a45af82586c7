import { h } from '../support/dom.js';
import { type Key, t } from '../support/texts.js';

/** The keys of the computer that do what the terminal's do. */
const KEYS: readonly [key: string, does: Key][] = [
  ['T', 'device.tap'],
  ['I', 'device.insert'],
  ['S', 'device.swipe'],
  ['R', 'device.pull'],
  ['0–9', 'device.keypad'],
  ['Enter', 'key.enter'],
  ['⌫', 'key.clear'],
  ['Esc', 'key.cancel'],
];

/** Where there is little room, or no keyboard, they are folded. */
const HAS_ROOM = '(min-width: 621px) and (min-height: 921px)';

export function shortcuts(): HTMLElement {
  return h(
    'details',
    { class: 'shortcuts', attrs: { open: matchMedia(HAS_ROOM).matches } },
    h('summary', { text: t('shortcuts.title') }),
    h('ul', {}, ...KEYS.map(([key, does]) => h('li', {}, h('kbd', { text: key }), ` ${t(does)}`))),
  );
}
