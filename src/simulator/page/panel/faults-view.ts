import { FAULT_MOMENTS, type FaultKind, type Moment } from '../../infra/faults.js';
import type { State } from '../state.js';
import { h, setAttribute } from '../support/dom.js';
import { named, t } from '../support/texts.js';

/** The switches for faults. */

/** Groups the moments at which faults strike by the part of the system. */
const PARTS = {
  bank: ['bank', 'bank-line'],
  request: ['request'],
  answer: ['answer'],
  terminal: ['start', 'awaiting-card', 'approved', 'terminal-reversal', 'result'],
  gateway: ['processing'],
  status: ['publish', 'status-without-record', 'status-with-record'],
  poll: ['poll'],
  callback: ['callback'],
  order: ['order', 'order-answer'],
  body: ['body'],
  backOffice: ['moto-sale', 'capture', 'increase', 'back-office'],
  result: ['reporting', 'wording'],
  decision: ['decision'],
} as const satisfies Record<string, readonly Moment[]>;

/** The default duration in ms of faults that have one. */
const LENGTHS: Partial<Record<FaultKind, number>> = {
  'bank-answers-late': 10_000,
  'request-delayed': 5_000,
  'answer-delayed': 5_000,
  'power-cut-awaiting-card': 60_000,
  'power-cut-processing': 60_000,
  'terminal-restart': 1_000,
  'status-lag': 5_000,
  'callback-late': 15_000,
  'callback-reordered': 15_000,
  'acts-late': 90_000,
  'card-read-late': 85_000,
  'result-late': 88_000,
  'undefined-first': 20_000,
  'failed-then-approved': 60_000,
};

export interface FaultActions {
  /** False if arming failed. */
  arm(fault: { kind: FaultKind; times: number; ms?: number }): Promise<boolean>;
  disarm(kind: FaultKind): Promise<boolean>;
  clear(): void;
}

interface Row {
  element: HTMLElement;
  /** Tells whether the fault is armed. */
  update(state: State): boolean;
}

interface Group {
  element: HTMLElement;
  update(state: State): void;
}

/** On a screen that is narrower the list of faults would be many screens long. */
const WIDE = '(min-width: 621px)';

export class FaultsView {
  readonly element: HTMLElement;
  private readonly groups: Group[];
  private readonly clear: HTMLButtonElement;
  private isForGood = false;

  constructor(private readonly actions: FaultActions) {
    this.groups = Object.entries(PARTS).map(([part, moments]) => {
      const kinds = (Object.keys(FAULT_MOMENTS) as FaultKind[]).filter((kind) =>
        (moments as readonly Moment[]).includes(FAULT_MOMENTS[kind]),
      );
      return this.group(part, kinds);
    });
    this.clear = h('button', {
      class: 'button',
      text: t('faults.clear'),
      attrs: { type: 'button' },
      on: { click: () => actions.clear() },
    });
    this.element = h(
      'div',
      { class: 'faults' },
      h('p', { class: 'intro', text: t('faults.intro') }),
      h('div', { class: 'faults-mode' }, this.modeChoice(), this.clear),
      ...this.groups.map(({ element }) => element),
    );
  }

  update(state: State): void {
    for (const group of this.groups) group.update(state);
    this.clear.disabled = state.faults.armed.length === 0;
  }

  /** Closed on a narrow screen, until one of its faults is armed. */
  private group(part: string, kinds: readonly FaultKind[]): Group {
    const rows = kinds.map((kind) => this.row(kind));
    const element = h(
      'details',
      { class: 'fault-group', attrs: { open: matchMedia(WIDE).matches } },
      h('summary', {}, h('h3', { class: 'label', text: named('faults.part', part) })),
      ...rows.map((row) => row.element),
    );
    let wasArmed = false;
    const update = (state: State): void => {
      const isArmed = rows.map((row) => row.update(state)).includes(true);
      if (isArmed && !wasArmed) element.open = true;
      wasArmed = isArmed;
    };
    return { element, update };
  }

  private modeChoice(): HTMLElement {
    const choice = (value: 'once' | 'always'): HTMLElement =>
      h(
        'label',
        {},
        h('input', {
          attrs: { type: 'radio', name: 'times', value, checked: value === 'once' },
          on: {
            change: () => {
              this.isForGood = value === 'always';
            },
          },
        }),
        h('span', { text: t(`faults.${value}`) }),
      );
    return h(
      'fieldset',
      { class: 'segments' },
      h('legend', { class: 'hidden', text: t('faults.times') }),
      choice('once'),
      choice('always'),
    );
  }

  private row(kind: FaultKind): Row {
    const name = named('fault', kind);
    const length = LENGTHS[kind];
    const count = h('span', { class: 'fault-count' });
    const seconds = h('input', {
      attrs: {
        type: 'number',
        min: 0,
        max: 86_400,
        step: 1,
        value: (length ?? 0) / 1000,
        'aria-label': t('faults.seconds', { fault: name }),
      },
    });
    let latest: State | undefined;
    /** While a request is pending the switch keeps the state it was set to. */
    let isPending = false;
    const set = async (isOn: boolean): Promise<void> => {
      isPending = true;
      const ms = length === undefined ? {} : { ms: Math.max(0, Math.round(Number(seconds.value) * 1000)) };
      const done = await (isOn
        ? this.actions.arm({ kind, times: this.isForGood ? 0 : 1, ...ms })
        : this.actions.disarm(kind));
      isPending = false;
      if (!done && latest !== undefined) update(latest);
    };
    const input = h('input', {
      class: 'switch',
      attrs: { type: 'checkbox', role: 'switch', 'data-fault': kind },
      on: {
        change: () => void set(input.checked),
      },
    });
    const element = h(
      'div',
      { class: 'fault' },
      h('label', {}, input, h('span', { text: name })),
      length !== undefined && h('span', { class: 'fault-seconds' }, seconds, t('faults.unit')),
      count,
    );
    const update = (state: State): boolean => {
      latest = state;
      const { armed, struck } = state.faults;
      const isArmed = armed.some((fault) => fault.kind === kind);
      if (!isPending) input.checked = isArmed;
      element.classList.toggle('armed', isArmed);
      const times = struck[kind] ?? 0;
      count.textContent = times === 0 ? '' : t('faults.struck', { count: times });
      setAttribute(count, 'hidden', times === 0);
      return isArmed;
    };
    return { element, update };
  }
}
