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
  /** The last choice, until a view shows it: a view that was on its way already would take it back for a moment. */
  private chosen: Pick<TerminalView, 'serial_number' | 'cardholder'> | undefined;

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
    const { serial_number, cardholder } = terminal;
    this.terminal = terminal;
    if (this.chosen?.serial_number !== serial_number || this.chosen.cardholder === cardholder) this.chosen = undefined;
    const shown = this.chosen?.cardholder ?? cardholder;
    this.automatic.checked = shown === 'automatic';
    this.person.checked = shown === 'person';
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
    if (this.terminal === undefined) return;
    const chosen = { serial_number: this.terminal.serial_number, cardholder };
    this.chosen = chosen;
    const done = await this.act({ do: 'seat', cardholder });
    if (done || this.chosen !== chosen) return;
    this.chosen = undefined;
    this.update(this.terminal);
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
