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
    const { outcome, moneyMoved, final, correction, redelivered, amount, error: problem } = msg.payload ?? {};
    const told = {
      outcome,
      code: problem?.code,
      moneyMoved,
      final,
      correction,
      redelivered,
      total: amount?.minor?.total,
    };
    const error = source.node.type === 'catch' ? String(msg.error?.message) : undefined;
    appendFileSync(file, `${JSON.stringify({ at: globalThis.rightTime(), order: msg.order, ...told, error })}\n`);
  };

  RED.hooks.add('onSend.truth', (events) => {
    for (const event of events) if (event.destination.id === 'witness') note(event);
  });
  RED.nodes.registerType('truth-witness', function TruthWitness(config) {
    RED.nodes.createNode(this, config);
    this.on('close', () => RED.hooks.remove('*.truth'));
  });
};
