import { type AcquirerGroup, GROUPS, isOffered } from '../../core/base/capabilities.js';
import type { Need } from '../form/form.js';

/** Shows a hint below each field of an open dialog that the acquirer group of the node's environment does not offer. */

interface Elements {
  length: number;
  val(): unknown;
  text(text: string): Elements;
  addClass(name: string): Elements;
  appendTo(parent: Elements): Elements;
  closest(selector: string): Elements;
  toggle(visible: boolean): void;
  on(event: string, handler: () => void): void;
}

interface ConfigNode {
  environment?: string;
  group?: string;
  checkGroup?: boolean;
}

declare const $: (selector: string) => Elements;
declare const RED: { nodes: { node(id: string): ConfigNode | null } };

/** @param selectorOf the jQuery selector of a field */
export function markGaps(
  needs: readonly Need[],
  selectorOf: (name: string) => string,
  textFor: (group: AcquirerGroup) => string,
): void {
  for (const need of needs) {
    const names = Object.keys(need.when);
    const row = $(selectorOf(names.at(-1) ?? '')).closest('.form-row');
    const note = $('<div>').addClass('payment-hint payment-gap').appendTo(row);
    const update = (): void => {
      const group = checkedGroup(selectorOf);
      const isGap = group !== undefined && !isOffered(need.capability, group) && mayNeed(need, selectorOf);
      if (isGap) note.text(textFor(group));
      note.toggle(isGap);
    };
    for (const name of [...names, 'terminal', 'environment']) $(selectorOf(name)).on('change', update);
    update();
  }
}

/** Undefined where the environment checks nothing, or where a variable names the group. */
function checkedGroup(selectorOf: (name: string) => string): AcquirerGroup | undefined {
  const terminal = configNode($(selectorOf('terminal')).val());
  const environment = configNode(terminal?.environment ?? $(selectorOf('environment')).val());
  if (environment?.checkGroup === false) return undefined;
  return GROUPS.find((group) => group === environment?.group);
}

function configNode(id: unknown): ConfigNode | undefined {
  return RED.nodes.node(String(id ?? '')) ?? undefined;
}

/** Whether the values in the dialog need the capability. Values from a message are not known here, and count as no. */
function mayNeed({ when }: Need, selectorOf: (name: string) => string): boolean {
  return Object.entries(when).every(([name, wanted]) => {
    const isChosen = $(`${selectorOf(name)}Type`).val() === 'str';
    return wanted === true || (isChosen && $(selectorOf(name)).val() === wanted);
  });
}
