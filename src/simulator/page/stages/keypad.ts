import { h, ICONS, icon } from '../support/dom.js';
import { t } from '../support/texts.js';
import type { Keys } from './stage.js';

/** The terminal's keys, for mouse, finger and keyboard. `keys`: their actions on the present screen. */
export function keypad(keys: () => Keys): HTMLElement {
  const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digitKey);
  return h(
    'div',
    { class: 'keypad', attrs: { role: 'group', 'aria-label': t('device.keypad') } },
    ...digits,
    control('cancel', t('key.cancel'), ICONS.cross, () => keys().cancel?.()),
    digitKey('0'),
    control('clear', t('key.clear'), ICONS.back, () => keys().clear?.()),
    control('enter', t('key.enter'), ICONS.check, () => keys().enter?.()),
  );

  function digitKey(digit: string): HTMLElement {
    return h('button', {
      class: 'key',
      text: digit,
      attrs: { type: 'button' },
      on: { click: () => keys().digit?.(digit) },
    });
  }
}

function control(name: string, label: string, path: string, press: () => void): HTMLElement {
  return h(
    'button',
    {
      class: `key key-${name}`,
      attrs: { type: 'button', 'aria-label': label, title: label },
      on: { click: press },
    },
    icon(path),
  );
}

/** Maps the computer's keyboard to the terminal's keys. True if the key is one of them. */
export function pressed(event: KeyboardEvent, keys: Keys): boolean {
  const press = keyFor(event.key, keys);
  press?.();
  return press !== undefined;
}

function keyFor(key: string, keys: Keys): (() => void) | undefined {
  if (/^\d$/.test(key)) return keys.digit && ((): void => keys.digit?.(key));
  switch (key) {
    case 'Enter':
      return keys.enter;
    case 'Backspace':
      return keys.clear;
    case 'Escape':
      return keys.cancel;
    default:
      return undefined;
  }
}
