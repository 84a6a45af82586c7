import { h, setAttribute } from '../support/dom.js';

/** One tab of the panel beside the terminal. */
export interface Tab {
  id: string;
  title: string;
  element: HTMLElement;
}

/** Accessible tabs: the arrow keys move between them, and the selected one is shown. */
export function panel(label: string, tabs: readonly Tab[]): HTMLElement {
  const buttons = tabs.map(({ id, title }, at) =>
    h('button', {
      class: 'tab',
      text: title,
      attrs: { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}` },
      on: { click: () => choose(at), keydown: (event) => step(event, at) },
    }),
  );
  const panels = tabs.map(({ id, element }) =>
    h(
      'div',
      {
        class: 'tab-panel',
        attrs: { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: 0 },
      },
      element,
    ),
  );
  choose(0);
  return h(
    'section',
    { class: 'panel', attrs: { 'aria-label': label } },
    h('div', { class: 'tabs', attrs: { role: 'tablist', 'aria-label': label } }, ...buttons),
    ...panels,
  );

  function choose(chosen: number): void {
    buttons.forEach((button, at) => {
      setAttribute(button, 'aria-selected', String(at === chosen));
      setAttribute(button, 'tabindex', at === chosen ? 0 : -1);
    });
    panels.forEach((element, at) => {
      element.hidden = at !== chosen;
    });
  }

  function step(event: KeyboardEvent, at: number): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const next = (at + by + tabs.length) % tabs.length;
    choose(next);
    buttons[next]?.focus();
    event.preventDefault();
  }
}
