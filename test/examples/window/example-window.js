const { join } = require('node:path');

/**
 * Lets the process that started Node-RED look into it: tells when flows have started and what reaches a debug node, and
 * answers a message `{ environment, group }` with the ledger of the simulator of that environment.
 */
module.exports = (RED) => {
  RED.nodes.registerType('example-window', function ExampleWindow(config) {
    RED.nodes.createNode(this, config);
  });

  RED.hooks.add('onReceive.example-window', ({ msg, destination }) => {
    const { node } = destination;
    if (node.type === 'debug') process.send({ heard: node.name, payload: msg.payload, error: msg.error?.message });
  });

  RED.events.on('flows:started', () => process.send({ started: true }));

  process.on('message', async ({ environment, group }) => {
    const { simulatorFor } = require(join(process.env.PACKAGE_ROOT, 'dist/nodes/runtime/simulators.js'));
    const { bank } = await simulatorFor(environment, group);
    process.send({ ledger: bank.entries().map(({ kind, moved, held }) => ({ kind, moved, held })) });
  });
};
