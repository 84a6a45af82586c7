import { type EditorNode, RED } from '../host.js';
import { mayMoveMoney, type Reality, realityOf } from '../money-nodes.js';
import { text } from '../words.js';

/** Marks the nodes on the canvas that move real money: their environment is live, or may be. */

const CONFIGURATION: ReadonlySet<string> = new Set(['payment-environment', 'payment-terminal']);
const SVG = 'http://www.w3.org/2000/svg';

export function markLiveNodes(): void {
  mark('live', 30);
  mark('unsure', 38);
  RED.events.on('nodes:change', (node: EditorNode) => {
    // An instance of a subflow is marked for the nodes in it, so all marks may change.
    if (!CONFIGURATION.has(node.type) && !mayMoveMoney(node)) return;
    RED.nodes.eachNode((other) => {
      if (mayMoveMoney(other)) other.dirty = true;
    });
    RED.view.redraw();
  });
}

/** @param width px */
function mark(reality: Reality, width: number): void {
  RED.view.annotations.register(`payment-${reality}`, {
    type: 'badge',
    class: `payment-${reality}`,
    element: () => badge(text(`live.${reality}.badge`), width),
    show: (node) => realityOf(node) === reality,
    filter: mayMoveMoney,
    tooltip: () => text(`live.${reality}.tooltip`),
  });
}

function badge(words: string, width: number): SVGElement {
  const made = document.createElementNS(SVG, 'g');
  const frame = document.createElementNS(SVG, 'rect');
  for (const [name, value] of Object.entries({ width, height: 13, rx: 3 })) frame.setAttribute(name, String(value));
  const label = document.createElementNS(SVG, 'text');
  for (const [name, value] of Object.entries({ x: width / 2, y: 9.5, 'text-anchor': 'middle' })) {
    label.setAttribute(name, String(value));
  }
  label.textContent = words;
  made.append(frame, label);
  return made;
}
