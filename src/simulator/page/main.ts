import { App } from './app.js';
import { h } from './support/dom.js';
import { follow, listSimulators, NotAllowedError, type SimulatorAddress } from './support/service.js';
import { loadTexts, t } from './support/texts.js';

/** Shows the simulator named in the address (`?simulator=`), or else the first one. */
async function main(): Promise<void> {
  await loadTexts();
  let simulators: SimulatorAddress[];
  try {
    simulators = await listSimulators();
  } catch (error) {
    return explain(error instanceof NotAllowedError ? t('start.notAllowed') : t('start.unreachable'));
  }
  const wanted = new URLSearchParams(location.search).get('simulator');
  const simulator = wanted === null ? simulators[0] : simulators.find(({ id }) => id === wanted);
  if (simulator === undefined) return explain(t(wanted === null ? 'start.none' : 'start.unknown'));
  const app = new App(simulator.control, simulators.length > 1 ? choiceOf(simulators, simulator) : undefined);
  document.body.replaceChildren(app.element);
  await follow(simulator.control, (view) => app.show(view), new AbortController().signal);
}

function choiceOf(simulators: readonly SimulatorAddress[], chosen: SimulatorAddress): HTMLElement {
  const select = h(
    'select',
    {
      attrs: { 'aria-label': t('start.choose') },
      on: { change: () => location.assign(`?simulator=${encodeURIComponent(select.value)}`) },
    },
    ...simulators.map(({ id, name }) =>
      h('option', { text: name === '' ? id : name, attrs: { value: id, selected: id === chosen.id } }),
    ),
  );
  return select;
}

function explain(text: string): void {
  const again = h('button', {
    class: 'button',
    text: t('start.again'),
    attrs: { type: 'button' },
    on: { click: () => location.reload() },
  });
  document.body.replaceChildren(
    h(
      'main',
      { class: 'explain' },
      h('span', { class: 'brand-mark' }),
      h('h1', { text: t('title') }),
      h('p', { text }),
      again,
    ),
  );
}

void main();
