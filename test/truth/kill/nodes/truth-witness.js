const { appendFileSync } = require('node:fs');

/**
 * Writes down what leaves the payment nodes, and what Catch is told, at the moment it leaves: the line is in the file
 * before the node that sent it goes on, so it is there whenever the process dies after that. Its time is right, whatever the
 * clock of the process says.
 */
module.exports = (RED) => {
  const file = RED.settings.truthWitness;

  const note = ({ msg, source }) => {
    if (!source.node.type.startsWith('payment-') && source.node.type !== 'catch') return;
    const { outcome, moneyMoved, final, correction, redelivered, repeated, operationId, reference, amount, error } =
      msg.payload ?? {};
    const { total, hold } = amount?.minor ?? {};
    const told = {
      ...{ outcome, code: error?.code, moneyMoved, final, correction, redelivered, repeated },
      ...{ operationId, reference, total, hold },
    };
    const { message, code } = msg.error ?? {};
    const caught = source.node.type === 'catch' ? { error: String(message), code } : {};
    const at = (globalThis.rightTime ?? Date.now)();
    appendFileSync(file, `${JSON.stringify({ at, order: msg.order, entry: msg.entry, ...told, ...caught })}\n`);
  };

  RED.hooks.add('onSend.truth', (events) => {
    for (const event of events) if (event.destination.id === 'witness') note(event);
  });
  RED.nodes.registerType('truth-witness', function TruthWitness(config) {
    RED.nodes.createNode(this, config);
    this.on('close', () => RED.hooks.remove('*.truth'));
  });
};
