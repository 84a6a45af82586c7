import type { TerminalView } from '../../control/view.js';
import { h, ICONS, icon, setAttribute } from '../support/dom.js';
import { type Key, t } from '../support/texts.js';

/** Controls for a terminal's surroundings: its cardholder, power and network. */
export class TerminalControls {
  readonly element: HTMLElement;
  private readonly automatic: HTMLInputElement;
  private readonly person: HTMLInputElement;
  private readonly power: HTMLButtonElement;
  private readonly network: HTMLButtonElement;
  private terminal: TerminalView | undefined;
  /** While a request is pending the control keeps the state it was set to. */
  private isPending = false;

  constructor(private readonly act: (body: object) => Promise<boolean>) {
    this.automatic = this.seat('automatic');
    this.person = this.seat('person');
    this.power = toggle('control.power', ICONS.power, () => {
      void act({ do: this.terminal?.screen.stage === 'off' ? 'power-on' : 'power-cut' });
    });
    this.network = toggle('control.network', ICONS.network, () => {
      void act({ do: this.terminal?.network === true ? 'go-offline' : 'go-online' });
    });
    const restart = h(
      'button',
      {
        class: 'round',
        attrs: { type: 'button', 'aria-label': t('control.restart'), title: t('control.restart') },
        on: { click: () => void act({ do: 'restart' }) },
      },
      icon(ICONS.restart),
    );
    this.element = h(
      'div',
      { class: 'controls' },
      h(
        'fieldset',
        { class: 'segments' },
        h('legend', { class: 'hidden', text: t('control.cardholder') }),
        h('label', {}, this.automatic, h('span', { text: t('control.automatic') })),
        h('label', {}, this.person, h('span', { text: t('control.person') })),
      ),
      h('div', { class: 'controls-buttons' }, this.power, this.network, restart),
    );
  }

  update(terminal: TerminalView): void {
    this.terminal = terminal;
    if (!this.isPending) {
      this.automatic.checked = terminal.cardholder === 'automatic';
      this.person.checked = terminal.cardholder === 'person';
    }
    setAttribute(this.power, 'aria-pressed', String(terminal.screen.stage !== 'off'));
    setAttribute(this.network, 'aria-pressed', String(terminal.network));
  }

  private seat(cardholder: 'automatic' | 'person'): HTMLInputElement {
    return h('input', {
      attrs: { type: 'radio', name: 'cardholder', value: cardholder },
      on: { change: () => void this.take(cardholder) },
    });
  }

  private async take(cardholder: 'automatic' | 'person'): Promise<void> {
    this.isPending = true;
    const done = await this.act({ do: 'seat', cardholder });
    this.isPending = false;
    if (!done && this.terminal !== undefined) this.update(this.terminal);
  }
}

function toggle(label: Key, path: string, press: () => void): HTMLButtonElement {
  return h(
    'button',
    {
      class: 'round',
      attrs: { type: 'button', 'aria-label': t(label), title: t(label) },
      on: { click: press },
    },
    icon(path),
  );
}
