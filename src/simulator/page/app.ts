import type { View } from '../control/view.js';
import type { Action } from '../terminal/session/screen.js';
import { Payer } from './cardholder/payer.js';
import { TerminalList } from './cardholder/terminal-list.js';
import { wallet } from './cardholder/wallet.js';
import { type Entry, WALLET } from './cardholder/wallet-cards.js';
import { FaultsView } from './panel/faults-view.js';
import { callbacksView, ledgerView, requestsView } from './panel/logs.js';
import { panel } from './panel/panel.js';
import { TerminalControls } from './panel/terminal-controls.js';
import { DeviceView } from './stages/device.js';
import { pressed } from './stages/keypad.js';
import { shortcuts } from './stages/shortcuts.js';
import { State } from './state.js';
import { h } from './support/dom.js';
import { type ActionOutcome, post } from './support/service.js';
import { named, t } from './support/texts.js';

const NOTICE_SHOWN = 4_000;
const ENTRY_KEYS: Readonly<Record<string, Entry>> = { t: 'CONTACTLESS_ICC', i: 'ICC', s: 'MAG_STRIPE' };
/** Elements that handle keys themselves when they have the focus. */
const TYPES_TEXT = 'input, select, textarea, summary, [role=tab]';

/** The whole page for one simulator. `control`: the address of the simulator's control. */
export class App {
  readonly element: HTMLElement;
  private readonly state: State;
  private readonly device: DeviceView;
  private readonly terminals: TerminalList;
  private readonly payer: Payer;
  private readonly controls: TerminalControls;
  private readonly faults: FaultsView;
  private readonly logs = [ledgerView(), requestsView(), callbacksView()] as const;
  private readonly live = h('span', { class: 'live', attrs: { role: 'status' } });
  private readonly spoken = h('p', { class: 'hidden', attrs: { role: 'status' } });
  private readonly notice = h('p', { class: 'notice', attrs: { role: 'alert', hidden: true } });
  private noticeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly control: string,
    choice: HTMLElement | undefined,
  ) {
    const [first] = WALLET;
    if (first === undefined) throw new Error('no card to pay with');
    this.state = new State(first);
    this.state.selected = location.hash.slice(1);
    this.device = new DeviceView(this.state, (action) => this.act(action));
    this.terminals = new TerminalList((serial) => this.choose(serial));
    this.payer = new Payer((cardholder) => this.send('seat', { cardholder }));
    this.controls = new TerminalControls(
      (body) => this.toTerminal(body),
      (serial) => this.send('test-sale', { serial }),
    );
    this.faults = new FaultsView({
      arm: (fault) => this.send('faults', fault),
      disarm: (kind) => this.send('faults/clear', { kind }),
      clear: () => void this.send('faults/clear', {}),
    });
    const [ledger, requests, callbacks] = this.logs;
    this.element = h(
      'div',
      { class: 'app' },
      h(
        'header',
        { class: 'top' },
        h('span', { class: 'brand-mark', attrs: { 'aria-hidden': true } }),
        h('h1', { text: t('title') }),
        choice,
        h('span', { class: 'play-money', text: t('playMoney') }),
        this.payer.element,
        this.live,
      ),
      h(
        'main',
        {},
        h(
          'section',
          { class: 'bench', attrs: { 'aria-label': t('bench.title') } },
          this.terminals.element,
          this.controls.element,
          this.device.element,
          shortcuts(),
          wallet(this.state, () => this.draw()),
        ),
        panel(t('panel.title'), [
          { id: 'faults', title: t('panel.faults'), element: this.faults.element },
          { id: 'ledger', title: t('panel.ledger'), element: ledger.element },
          { id: 'requests', title: t('panel.requests'), element: requests.element },
          { id: 'callbacks', title: t('panel.callbacks'), element: callbacks.element },
        ]),
      ),
      this.notice,
      this.spoken,
    );
    document.addEventListener('keydown', (event) => this.onKey(event));
  }

  /** `undefined`: the simulator is unreachable. */
  show(view: View | undefined): void {
    if (view === undefined) this.state.isConnected = false;
    else this.state.take(view);
    this.draw();
    if (this.state.hasMovedOn) this.terminals.showChosen();
  }

  private draw(): void {
    const { state } = this;
    const { terminal } = state;
    this.live.textContent = t(state.isConnected ? 'live.on' : 'live.off');
    this.live.classList.toggle('gone', !state.isConnected);
    this.terminals.update(state);
    this.payer.update(state);
    this.faults.update(state);
    for (const log of this.logs) log.update(state);
    if (terminal === undefined) return;
    this.controls.update(terminal);
    this.device.update(terminal);
    const said = named('stage', terminal.screen.stage);
    if (this.spoken.textContent !== said) this.spoken.textContent = said;
  }

  private choose(serial: string): void {
    this.state.selected = serial;
    history.replaceState(null, '', `#${serial}`);
    this.draw();
  }

  private act(action: Action): Promise<boolean> {
    return this.toTerminal(action);
  }

  private toTerminal(body: object): Promise<boolean> {
    const serial = this.state.terminal?.serial_number;
    return serial === undefined ? Promise.resolve(false) : this.send(`terminals/${encodeURIComponent(serial)}`, body);
  }

  private async send(path: string, body: object): Promise<boolean> {
    const done = await post(this.control, path, body);
    if (done !== 'done') this.showProblem(done);
    return done === 'done';
  }

  private showProblem(problem: Exclude<ActionOutcome, 'done'>): void {
    this.notice.textContent = t(`notice.${problem}`);
    this.notice.hidden = false;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => {
      this.notice.hidden = true;
    }, NOTICE_SHOWN);
    this.draw();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector('dialog') !== null) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest(TYPES_TEXT) !== null && !isCardChoice(target, event.key)) return;
    if (event.key === 'Enter' && target.closest('button') !== null) return;
    const entry = ENTRY_KEYS[event.key.toLowerCase()];
    if (entry !== undefined) this.device.present(entry);
    else if (event.key.toLowerCase() === 'r') void this.device.pullOut();
    else if (!pressed(event, this.device.screen.keys)) return;
    event.preventDefault();
  }
}

/** Whether a key pressed on a card of the wallet belongs to the terminal: all but the arrows, space and Tab do. */
function isCardChoice(target: Element, key: string): boolean {
  return target.matches('input[type=radio]') && !key.startsWith('Arrow') && key !== ' ' && key !== 'Tab';
}
