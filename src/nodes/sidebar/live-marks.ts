import { type EditorNode, RED } from './host.js';
import { isLive, movesMoney } from './money-nodes.js';
import { text } from './words.js';

/** Marks on the canvas the nodes that move real money: those whose environment is a live one. */

const CONFIGURATION: ReadonlySet<string> = new Set(['payment-environment', 'payment-terminal']);
const SVG = 'http://www.w3.org/2000/svg';

export function markLiveNodes(): void {
  RED.view.annotations.register('payment-live', {
    type: 'badge',
    class: 'payment-live',
    element: badge,
    show: isLive,
    filter: movesMoney,
    tooltip: () => text('live.tooltip'),
  });
  RED.events.on('nodes:change', (node: EditorNode) => {
    if (!CONFIGURATION.has(node.type)) return;
    RED.nodes.eachNode((other) => {
      if (movesMoney(other)) other.dirty = true;
    });
    RED.view.redraw();
  });
}

function badge(): SVGElement {
  const made = document.createElementNS(SVG, 'g');
  const frame = document.createElementNS(SVG, 'rect');
  for (const [name, value] of Object.entries({ width: '30', height: '13', rx: '3' })) frame.setAttribute(name, value);
  const label = document.createElementNS(SVG, 'text');
  for (const [name, value] of Object.entries({ x: '15', y: '9.5', 'text-anchor': 'middle' })) {
    label.setAttribute(name, value);
  }
  label.textContent = text('live.badge');
  made.append(frame, label);
  return made;
}
