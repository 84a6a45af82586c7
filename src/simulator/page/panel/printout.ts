import type { TerminalView } from '../../control/view.js';
import type { Paper } from '../../terminal/printer.js';
import type { State } from '../state.js';
import { h, ICONS, icon } from '../support/dom.js';
import { named, t } from '../support/texts.js';

/** The printout in the printer's slot; a click tears it off and opens it. */
export class Printout {
  readonly element: HTMLElement;
  private readonly button: HTMLButtonElement;
  private latest: Paper | undefined;

  constructor(private readonly state: State) {
    this.button = h(
      'button',
      { class: 'stub', attrs: { type: 'button' }, on: { click: () => this.tearOff() } },
      icon(ICONS.receipt),
      h('span', { text: t('paper.tear') }),
    );
    this.element = h('div', { class: 'printer' }, this.button);
  }

  update({ serial_number, papers }: TerminalView): void {
    const last = papers.at(-1);
    this.latest = last !== undefined && last.seq > (this.state.tornOff.get(serial_number) ?? 0) ? last : undefined;
    this.button.hidden = this.latest === undefined;
  }

  private tearOff(): void {
    const { latest, state } = this;
    const serial = state.terminal?.serial_number;
    if (latest === undefined || serial === undefined) return;
    state.tornOff.set(serial, latest.seq);
    this.button.hidden = true;
    showPaper(latest);
  }
}

function showPaper(paper: Paper): void {
  const close = h('button', {
    class: 'button',
    text: t('paper.close'),
    attrs: { type: 'button' },
    on: { click: () => dialog.close() },
  });
  const copies = paper.text === '' ? [copy(paper, 'customer'), copy(paper, 'merchant')] : [printout(paper.text)];
  const dialog = h(
    'dialog',
    { class: 'papers', attrs: { 'aria-label': t('paper.title') } },
    h('div', { class: 'papers-row' }, ...copies),
    close,
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function copy({ merchant, lines }: Paper, whose: 'customer' | 'merchant'): HTMLElement {
  return h(
    'section',
    { class: 'paper', attrs: { 'aria-label': t(`paper.${whose}`) } },
    h('h3', { text: merchant }),
    h(
      'dl',
      {},
      ...lines
        .filter(({ value }) => value !== '')
        .map(({ name, value }) =>
          h(
            'div',
            { class: `paper-line paper-${name}` },
            h('dt', { text: named('paper.line', name) }),
            h('dd', { text: name === 'date' ? readable(value) : value }),
          ),
        ),
    ),
    h('p', { text: t(`paper.${whose}`) }),
  );
}

/** Formats `YYYYMMDDHHmmssSSS` as date and time. */
function readable(timestamp: string): string {
  return timestamp.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d+$/, '$1-$2-$3 $4:$5:$6');
}

/** A printout sent by the point of sale. Untrusted, so it is shown as plain text whatever markup it contains. */
function printout(text: string): HTMLElement {
  const parsed = new DOMParser().parseFromString(text, 'text/html');
  return h('section', { class: 'paper' }, h('pre', { text: parsed.body.textContent || text }));
}
