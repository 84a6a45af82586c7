import type { TerminalView } from '../../control/view.js';
import type { Action } from '../../terminal/session/screen.js';
import type { Ending } from '../../terminal/terminal.js';
import type { State } from '../state.js';
import { fill, h, ICONS, icon } from '../support/dom.js';
import { t } from '../support/texts.js';
import type { Keys } from './stage.js';
import { stageOf } from './stages.js';

/** How long the terminal shows the outcome of the last operation, ms. */
const ENDING_SHOWN = 7_000;

/** The terminal's display. Redrawn only when the screen changes, so that typed text stays. */
export class ScreenView {
  readonly element: HTMLElement;
  keys: Keys = {};
  private shown = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly body = h('div', { class: 'screen-body' });
  private readonly bar = h('div', { class: 'screen-time', attrs: { 'aria-hidden': true } });
  private readonly serial = h('span');
  private readonly network = h('span', { class: 'screen-network' }, icon(ICONS.network));

  constructor(
    private readonly state: State,
    private readonly act: (action: Action) => void,
  ) {
    const top = h('div', { class: 'screen-top' }, this.serial, this.network);
    this.element = h(
      'section',
      { class: 'screen', attrs: { 'aria-label': t('device.screen') } },
      top,
      this.body,
      this.bar,
    );
  }

  update(terminal: TerminalView): void {
    const ending = this.newsOf(terminal);
    const { serial_number, screen, connected } = terminal;
    this.serial.textContent = serial_number;
    this.network.classList.toggle('gone', !connected);
    const card = screen.stage === 'keyed-entry' ? this.state.card.id : '';
    const shown = JSON.stringify([serial_number, screen, connected, ending?.at, card]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.element.dataset.stage = screen.stage;
    const hadFocus = this.body.contains(document.activeElement);
    const stage = stageOf({ terminal, card: () => this.state.card, act: this.act }, ending);
    fill(this.body, ...stage.body);
    this.keys = stage.keys;
    this.countDown(screen.endsAt);
    if (hadFocus) this.body.querySelector('button')?.focus();
  }

  /** The outcome of the last operation while it is still recent. */
  private newsOf(terminal: TerminalView): Ending | undefined {
    clearTimeout(this.timer);
    const { ending, screen } = terminal;
    if (ending === undefined || screen.stage !== 'idle' || ending.operation === 'pingDevice') return undefined;
    const left = ending.at + ENDING_SHOWN - this.state.now();
    if (left <= 0) return undefined;
    this.timer = setTimeout(() => this.update(terminal), left);
    return ending;
  }

  /** A bar that shows the time left for the prompt. */
  private countDown(endsAt: number | undefined): void {
    this.bar.getAnimations().forEach((animation) => {
      animation.cancel();
    });
    this.bar.hidden = endsAt === undefined;
    if (endsAt === undefined) return;
    const left = Math.max(endsAt - this.state.now(), 0);
    this.bar.animate([{ transform: 'scaleX(1)' }, { transform: 'scaleX(0)' }], { duration: left, fill: 'forwards' });
  }
}
