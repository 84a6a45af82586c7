import { wholeVariable } from '../../form/variables.js';
import { element } from '../dom.js';
import type { EditorNode } from '../host.js';
import { moneyNodesOf } from '../money-nodes.js';
import { type Draft, hasKey } from './draft.js';

/** The notice in the dialog of a live environment: what it needs, and which nodes will move real money with it. */

/** Returns the notice, and how to update it after a change in the dialog. */
export function liveNotice(node: EditorNode, draft: () => Draft): { notice: HTMLElement; update(): void } {
  const notice = element('div', { class: 'payment-notice', role: 'note' });
  const { _ } = node._def;
  const need = (isMet: boolean, key: string): HTMLElement =>
    element('li', { 'data-state': isMet ? 'ok' : 'bad' }, `${isMet ? '✓' : '✗'} ${_(`live.${key}`)}`);
  const update = (): void => {
    const now = draft();
    notice.hidden = now.kind !== 'live';
    if (notice.hidden) return;
    const nodes = moneyNodesOf(node.id).map(nameOf);
    const areSafe = [now.baseUrl, now.statusUrl].every(isSafe);
    const names =
      nodes.length === 0 ? _('live.nobody') : _('live.nodes', { count: nodes.length, names: nodes.join(', ') });
    notice.replaceChildren(
      element('b', {}, _('live.title')),
      element('ul', {}, need(areSafe, 'https'), need(hasKey(now), 'key')),
      element('p', {}, names),
    );
  };
  return { notice, update };
}

function nameOf(node: EditorNode): string {
  return node._def.label?.call(node) || node.type;
}

/** What a variable holds is checked by the run time. */
function isSafe(address: string): boolean {
  return /^(https:\/\/\S|\$\{)/.test(address) || wholeVariable(address) !== undefined;
}
