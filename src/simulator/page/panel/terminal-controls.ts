import type { TerminalView } from '../../control/view.js';
import { h, ICONS, icon, setAttribute } from '../support/dom.js';
import { type Key, t } from '../support/texts.js';

/** Controls for a terminal's surroundings: its power, its network, and a sale to try it with. */
export class TerminalControls {
  readonly element: HTMLElement;
  private readonly power: HTMLButtonElement;
  private readonly network: HTMLButtonElement;
  private readonly sale: HTMLButtonElement;
  private terminal: TerminalView | undefined;

  constructor(
    private readonly act: (body: object) => Promise<boolean>,
    startSale: (serial: string) => Promise<boolean>,
  ) {
    this.power = labelled('control.power', ICONS.power, () => {
      void act({ do: this.terminal?.screen.stage === 'off' ? 'power-on' : 'power-cut' });
    });
    this.network = labelled('control.network', ICONS.network, () => {
      void act({ do: this.terminal?.network === true ? 'go-offline' : 'go-online' });
    });
    this.sale = labelled('control.testSale', ICONS.contactless, () => {
      if (this.terminal !== undefined) void startSale(this.terminal.serial_number);
    });
    const restart = labelled('control.restart', ICONS.restart, () => void this.act({ do: 'restart' }));
    this.element = h(
      'div',
      { class: 'controls' },
      this.sale,
      h('div', { class: 'controls-buttons' }, this.power, this.network, restart),
    );
  }

  update(terminal: TerminalView): void {
    this.terminal = terminal;
    setAttribute(this.power, 'aria-pressed', String(terminal.screen.stage !== 'off'));
    setAttribute(this.network, 'aria-pressed', String(terminal.network));
    this.sale.disabled = terminal.screen.stage !== 'idle' || !terminal.connected;
  }
}

function labelled(label: Key, path: string, press: () => void): HTMLButtonElement {
  return h(
    'button',
    { class: 'button labelled', attrs: { type: 'button' }, on: { click: press } },
    icon(path),
    h('span', { text: t(label) }),
  );
}
