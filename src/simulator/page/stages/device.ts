import type { TerminalView } from '../../control/view.js';
import type { Action, Stage } from '../../terminal/session/screen.js';
import { cardFace } from '../cardholder/card-face.js';
import type { Entry, WalletCard } from '../cardholder/wallet-cards.js';
import { Printout } from '../panel/printout.js';
import type { State } from '../state.js';
import { fill, h, ICONS, icon, setAttribute } from '../support/dom.js';
import { t } from '../support/texts.js';
import { keypad } from './keypad.js';
import { ScreenView } from './screen.js';

const READS_CARDS: ReadonlySet<Stage> = new Set<Stage>(['awaiting-card', 'insert-card']);

/** The terminal: its screen, its keys, and its three card readers. */
export class DeviceView {
  readonly element: HTMLElement;
  readonly screen: ScreenView;
  private readonly ways: Record<Entry, HTMLButtonElement>;
  private readonly pull: HTMLButtonElement;
  private readonly printout: Printout;
  private inserted: WalletCard | undefined;
  private isAtWork = false;

  constructor(
    private readonly state: State,
    private readonly act: (action: Action) => Promise<boolean>,
  ) {
    this.screen = new ScreenView(state, (action) => void act(action));
    this.ways = {
      CONTACTLESS_ICC: this.way('tap', ICONS.contactless, 'CONTACTLESS_ICC'),
      ICC: this.way('insert', ICONS.chip, 'ICC'),
      MAG_STRIPE: this.way('swipe', ICONS.swipe, 'MAG_STRIPE'),
    };
    this.pull = h('button', {
      class: 'slot-card',
      attrs: { type: 'button', 'aria-label': t('device.pull'), title: t('device.pull') },
      on: { click: () => void this.pullOut() },
    });
    this.printout = new Printout(state);
    this.element = h(
      'div',
      { class: 'device' },
      this.printout.element,
      h(
        'div',
        { class: 'device-body' },
        h('div', { class: 'device-top' }, this.ways.CONTACTLESS_ICC),
        this.screen.element,
        keypad(() => this.screen.keys),
        this.ways.MAG_STRIPE,
        h('div', { class: 'device-bottom' }, this.ways.ICC),
      ),
      h('div', { class: 'slot' }, this.pull),
    );
  }

  update(terminal: TerminalView): void {
    this.screen.update(terminal);
    this.printout.update(terminal);
    const { stage } = terminal.screen;
    this.comeIntoSight(terminal);
    this.inserted = this.state.inserted.get(terminal.serial_number);
    for (const [entry, button] of Object.entries(this.ways)) {
      const isOpen = READS_CARDS.has(stage) && (stage === 'awaiting-card' || entry === 'ICC');
      const fits = this.state.card.entries.some((one) => one === entry);
      setAttribute(button, 'disabled', !isOpen || !fits || (entry === 'ICC' && this.inserted !== undefined));
    }
    this.element.classList.toggle('off', stage === 'off');
    this.pull.hidden = this.inserted === undefined;
    if (this.inserted !== undefined && this.pull.dataset.card !== this.inserted.id) {
      this.pull.dataset.card = this.inserted.id;
      fill(this.pull, cardFace(this.inserted));
    }
    this.pull.classList.toggle('wanted', stage === 'remove-card');
  }

  /** Scrolls the terminal into view when a payment begins, for windows that show only part of the page. */
  private comeIntoSight({ cardholder, screen }: TerminalView): void {
    const isAtWork = screen.stage !== 'idle' && screen.stage !== 'off';
    if (isAtWork && !this.isAtWork && cardholder === 'person') this.element.scrollIntoView({ block: 'nearest' });
    this.isAtWork = isAtWork;
  }

  /** Presents the selected card, if the terminal reads cards that way. */
  present(entry: Entry): void {
    const { card, terminal } = this.state;
    if (terminal === undefined || this.ways[entry].disabled) return;
    this.move(entry);
    if (entry === 'ICC') this.state.inserted.set(terminal.serial_number, card);
    void this.act({ do: 'present-card', card: { ...card.card, entry } }).then((done) => {
      // A card that could not be read leaves the slot, so that it can be inserted again.
      if (entry === 'ICC' && (!done || card.card.unreadable === true)) {
        this.state.inserted.delete(terminal.serial_number);
        this.update(terminal);
      }
    });
  }

  async pullOut(): Promise<void> {
    const { terminal } = this.state;
    if (terminal === undefined || this.inserted === undefined) return;
    await this.act({ do: 'remove-card' });
    this.state.inserted.delete(terminal.serial_number);
    if (this.state.terminal !== undefined) this.update(this.state.terminal);
  }

  private way(name: 'tap' | 'insert' | 'swipe', path: string, entry: Entry): HTMLButtonElement {
    return h(
      'button',
      {
        class: `way way-${name}`,
        attrs: { type: 'button', disabled: true, 'aria-keyshortcuts': name.slice(0, 1).toUpperCase() },
        on: { click: () => this.present(entry) },
      },
      icon(path),
      h('span', { text: t(`device.${name}`) }),
    );
  }

  /** Animates the card on its way. */
  private move(entry: Entry): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const ghost = h(
      'div',
      { class: `ghost ghost-${entry}`, attrs: { 'aria-hidden': true } },
      cardFace(this.state.card),
    );
    ghost.addEventListener('animationend', () => ghost.remove());
    this.element.append(ghost);
  }
}
