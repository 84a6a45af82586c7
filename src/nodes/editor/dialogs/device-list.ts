import type { ListedDevice, PingAnswer } from '../../admin/environments/environments.js';
import { askEnvironment } from '../admin-client.js';
import { button, element } from '../dom.js';
import { type EditorNode, RED } from '../host.js';
import { draftOfNode } from './draft.js';

/** A list of an environment's terminals to choose from, with their types and whether they answer. */

export interface Chosen {
  serialNumber: string;
  terminalType: string;
}

/** How many terminals are pinged: the service allows two requests a second. */
const PINGED = 12;

export class DeviceList {
  readonly root: HTMLElement;
  private readonly rows = element('div', { role: 'radiogroup', class: 'payment-devices' });
  private readonly note = element('p', { role: 'status', 'aria-live': 'polite' });
  /** Counts the loads, so that answers to an earlier one can be ignored. */
  private loading = 0;

  constructor(
    private readonly node: EditorNode,
    private readonly environment: () => string,
    private readonly chosen: () => Chosen,
    private readonly choose: (chosen: Chosen) => void,
  ) {
    this.rows.setAttribute('aria-label', this.text('title'));
    const refresh = button(this.text('refresh'), 'fa-refresh', () => void this.load());
    const head = element('div', { class: 'payment-devices-head' }, element('span', {}, this.text('title')), refresh);
    this.root = element('div', { class: 'form-row payment-device-list' }, head, this.note, this.rows);
  }

  async load(): Promise<void> {
    const turn = ++this.loading;
    const environment = RED.nodes.node(this.environment());
    this.rows.replaceChildren();
    this.note.textContent = this.text(environment ? 'loading' : 'noEnvironment');
    if (!environment) return;
    try {
      const body = { draft: draftOfNode(environment) };
      const { devices } = await askEnvironment<{ devices: ListedDevice[] }>(environment.id, 'devices', body);
      if (turn !== this.loading) return;
      this.note.textContent = devices.length === 0 ? this.text('none') : '';
      const states = devices.map((device) => this.addRow(device));
      await this.pingAll(turn, environment, devices.slice(0, PINGED), states);
    } catch (error) {
      if (turn === this.loading) this.note.textContent = this.text('failed', { why: (error as Error).message });
    }
  }

  private addRow({ serial_number, terminal_type }: ListedDevice): HTMLElement {
    const { serialNumber } = this.chosen();
    const radio = element('input', { type: 'radio', name: 'payment-device' });
    radio.checked = serialNumber === serial_number;
    radio.addEventListener('change', () => this.choose({ serialNumber: serial_number, terminalType: terminal_type }));
    const state = element('span', { class: 'payment-device-state' });
    const serial = element('span', { class: 'payment-device-serial' }, serial_number);
    this.rows.append(element('label', {}, radio, serial, element('span', {}, terminal_type), state));
    return state;
  }

  /** One after the other, because of the service's rate limit. */
  private async pingAll(
    turn: number,
    environment: EditorNode,
    devices: readonly ListedDevice[],
    states: readonly HTMLElement[],
  ): Promise<void> {
    const draft = draftOfNode(environment);
    for (const [place, device] of devices.entries()) {
      const state = states[place];
      const isGone = turn !== this.loading || !this.root.isConnected;
      if (isGone || state === undefined) return;
      state.textContent = this.text('asking');
      const answer = await askEnvironment<PingAnswer>(environment.id, 'ping', { draft, ...device }).catch(
        (error: Error): PingAnswer => ({ answers: false, why: error.message }),
      );
      const word = answer.busy === true ? 'busy' : answer.answers ? 'answers' : 'silent';
      state.dataset.state = word;
      state.textContent = this.text(word);
      state.title = answer.why ?? '';
    }
  }

  private text(key: string, values?: Record<string, unknown>): string {
    return this.node._def._(`devices.${key}`, values);
  }
}
