import { ATTENTION, isCaught, MONEY_TYPES, type Placed } from '../../form/unheard.js';
import { element } from '../dom.js';
import { type EditorNode, RED } from '../host.js';

/** The notice in the dialog of a node that moves money: what nobody would hear as it is wired. Empty where all is heard. */
export function unheardNotice(node: EditorNode): HTMLElement[] {
  if (!MONEY_TYPES.has(node.type)) return [];
  const { _ } = node._def;
  const isWired = RED.nodes.filterLinks({ source: node, sourcePort: ATTENTION }).some(({ target }) => !target.d);
  const missing = [
    isWired ? '' : _('editor.unwired'),
    isCaught(placed(node), everything()) ? '' : _('editor.uncaught'),
  ];
  const lines = missing.filter(Boolean).map((line) => element('p', {}, line));
  return lines.length === 0
    ? []
    : [element('div', { class: 'payment-notice payment-unheard', role: 'note' }, ...lines)];
}

function everything(): Placed[] {
  const all: Placed[] = [];
  const add = (one: EditorNode): void => void all.push(placed(one));
  RED.nodes.eachNode(add);
  RED.nodes.eachGroup(add);
  RED.nodes.eachSubflow(add);
  return all;
}

function placed({ id, type, z, g, d, scope }: EditorNode): Placed {
  return { id, type, scope, ...(z ? { z: String(z) } : {}), ...(g ? { g: String(g) } : {}), ...(d ? { d: true } : {}) };
}
