import { RED } from '../host.js';

/**
 * The status below a node is a key of the catalogue. With a figure (`status.approved 10.00 EUR`) the editor does not find
 * the key: here it is looked up in the user's language without the figure, which is then inserted.
 */

const WITH_FIGURE = /^(status\.[\w-]+) (.+)$/;

export function translateStatuses(): void {
  RED.events.on('registry:node-type-added', (type: string) => {
    const definition = type.startsWith('payment-') ? RED.nodes.getType(type) : undefined;
    if (definition === undefined) return;
    const translate = definition._;
    definition._ = (key, values) => {
      const [, plainKey, figure] = WITH_FIGURE.exec(key) ?? [];
      if (plainKey === undefined || figure === undefined) return translate(key, values);
      const text = translate(plainKey, { figure });
      return text.includes(figure) ? text : `${text} ${figure}`;
    };
  });
}
