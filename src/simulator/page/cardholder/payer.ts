import type { State } from '../state.js';
import { h } from '../support/dom.js';
import { t } from '../support/texts.js';

type Cardholder = 'automatic' | 'person';

/** Who pays, on every terminal of the page: an automatic cardholder, or the person in front of it. */
export class Payer {
  readonly element: HTMLElement;
  private readonly seats: Record<Cardholder, HTMLInputElement>;
  private state: State | undefined;
  /** The last choice, until a view shows it: a view that was on its way already would take it back for a moment. */
  private chosen: Cardholder | undefined;

  constructor(private readonly seat: (cardholder: Cardholder) => Promise<boolean>) {
    this.seats = { automatic: this.radio('automatic'), person: this.radio('person') };
    this.element = h(
      'fieldset',
      { class: 'segments payer' },
      h('legend', { text: t('control.cardholder') }),
      h('label', {}, this.seats.automatic, h('span', { text: t('control.automatic') })),
      h('label', {}, this.seats.person, h('span', { text: t('control.person') })),
    );
  }

  update(state: State): void {
    this.state = state;
    const [first] = state.terminals;
    const isAgreed = first !== undefined && state.terminals.every(({ cardholder }) => cardholder === first.cardholder);
    const seated = isAgreed ? first.cardholder : undefined;
    if (this.chosen === seated) this.chosen = undefined;
    const shown = this.chosen ?? seated;
    this.seats.automatic.checked = shown === 'automatic';
    this.seats.person.checked = shown === 'person';
  }

  private radio(cardholder: Cardholder): HTMLInputElement {
    return h('input', {
      attrs: { type: 'radio', name: 'cardholder', value: cardholder },
      on: { change: () => void this.choose(cardholder) },
    });
  }

  private async choose(cardholder: Cardholder): Promise<void> {
    this.chosen = cardholder;
    const done = await this.seat(cardholder);
    if (done || this.chosen !== cardholder) return;
    this.chosen = undefined;
    if (this.state !== undefined) this.update(this.state);
  }
}
