import type { TerminalView } from '../../control/view.js';
import type { State } from '../state.js';
import { money } from '../support/amounts.js';
import { fill, h, setAttribute } from '../support/dom.js';
import { named, t } from '../support/texts.js';

/** Shows all terminals side by side, small; a click selects one. */
export class TerminalList {
  readonly element = h('nav', { class: 'shelf', attrs: { 'aria-label': t('shelf.title') } });
  private readonly items = new Map<string, { button: HTMLButtonElement; line: HTMLElement }>();

  constructor(private readonly choose: (serial: string) => void) {}

  update(state: State): void {
    const { terminals, terminal: chosen } = state;
    const serials = terminals.map(({ serial_number }) => serial_number);
    if (serials.join() !== [...this.items.keys()].join()) this.build(terminals);
    for (const terminal of terminals) {
      const item = this.items.get(terminal.serial_number);
      if (item === undefined) continue;
      const { stage, amount, currency } = terminal.screen;
      setAttribute(item.button, 'aria-current', terminal === chosen ? 'true' : undefined);
      item.button.dataset.stage = terminal.connected ? stage : 'off';
      const sum = amount === undefined || currency === undefined ? [] : [money(amount, currency)];
      const where = stage !== 'off' && !terminal.network ? t('screen.offline') : named('stage', stage);
      item.line.textContent = [...sum, where].join(' · ');
    }
  }

  /** Scrolls the chosen terminal into view. */
  showChosen(): void {
    this.element.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  private build(terminals: readonly TerminalView[]): void {
    this.items.clear();
    const buttons = terminals.map(({ serial_number, terminal_type }) => {
      const line = h('span', { class: 'shelf-stage' });
      const button = h(
        'button',
        { class: 'shelf-item', attrs: { type: 'button' }, on: { click: () => this.choose(serial_number) } },
        h('span', { class: 'shelf-screen', attrs: { 'aria-hidden': true } }),
        h('span', { class: 'shelf-text' }, h('b', { text: serial_number, attrs: { title: terminal_type } }), line),
      );
      this.items.set(serial_number, { button, line });
      return button;
    });
    fill(this.element, ...buttons);
  }
}
