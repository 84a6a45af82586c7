import { RED } from '../host.js';
import { withReason } from '../words.js';

/**
 * The status below a node is a key of the catalogue. With a figure (`status.approved 10.00 EUR`) or a reason
 * (`status.refused: terminal-offline`) the editor does not find the key: here both are put into the user's language.
 */

const WITH_FIGURE = /^(status\.[\w-]+) (.+)$/;
const WITH_REASON = /^(status\.[\w-]+): (.+)$/;

export function translateStatuses(): void {
  RED.events.on('registry:node-type-added', (type: string) => {
    const definition = type.startsWith('payment-') ? RED.nodes.getType(type) : undefined;
    if (definition === undefined) return;
    const translate = definition._;
    definition._ = (key, values) => {
      const [, outcome, reason] = WITH_REASON.exec(key) ?? [];
      if (outcome !== undefined && reason !== undefined) return withReason(translate(outcome), { message: reason });
      const [, plainKey, figure] = WITH_FIGURE.exec(key) ?? [];
      if (plainKey === undefined || figure === undefined) return translate(key, values);
      const text = translate(plainKey, { figure });
      return text.includes(figure) ? text : `${text} ${figure}`;
    };
  });
}
