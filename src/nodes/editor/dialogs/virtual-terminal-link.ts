import { element } from '../dom.js';
import type { EditorNode } from '../host.js';

/** A link to the virtual terminal of a simulated environment. */
export function virtualTerminalLink(node: EditorNode): HTMLElement {
  const { _ } = node._def;
  const href = `payment-admin/virtual-terminal/?simulator=${encodeURIComponent(node.id)}`;
  const link = element('a', { href, target: '_blank', rel: 'noopener' }, _('virtualTerminal.open'));
  const row = element('div', { class: 'form-row payment-virtual-terminal' }, link);
  if (node.changed === true) row.append(element('small', {}, _('virtualTerminal.hint')));
  return row;
}
