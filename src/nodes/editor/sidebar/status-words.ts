import { RED } from '../host.js';

/**
 * Statuses below nodes come as keys of the catalogue. One with a figure (`status.approved 10.00 EUR`) is no key: here its
 * word is looked up in the language of who looks, and the figure put in.
 */

const WITH_FIGURE = /^(status\.[\w-]+) (.+)$/;

export function speakStatuses(): void {
  RED.events.on('registry:node-type-added', (type: string) => {
    const definition = type.startsWith('payment-') ? RED.nodes.getType(type) : undefined;
    if (definition === undefined) return;
    const translate = definition._;
    definition._ = (key, values) => {
      const [, word, figure] = WITH_FIGURE.exec(key) ?? [];
      if (word === undefined || figure === undefined) return translate(key, values);
      const spoken = translate(word, { figure });
      return spoken.includes(figure) ? spoken : `${spoken} ${figure}`;
    };
  });
}
