/**
 * Node-RED's settings for `npm start`: this checkout's own nodes, no user settings, no prompts. Reports the first
 * sale to the process that started Node-RED: that the flows run, that a message reached a sale node, and then the
 * payload that leaves it or the reason why there is none.
 */
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const RED = require('node-red');

const { events, hooks } = createRequire(require.resolve('node-red'))('@node-red/util');

/** Waits until the editor responds, because the starting process prints its address next. */
function report(progress) {
  if (RED.server.listening) process.send?.(progress);
  else RED.server.once('listening', () => process.send?.(progress));
}

const isSale = ({ node }) => node?.type === 'payment-sale';

events.on('flows:started', () => report({ event: 'started' }));
// Node-RED does not start flows with a node of an unknown type, and reports it here.
events.on('runtime-event', ({ id, payload }) => {
  if (id === 'runtime-state' && payload?.error) report({ reason: `no sale was begun: ${payload.error}` });
});
hooks.add('onReceive.tour', ({ destination }) => {
  if (isSale(destination)) report({ event: 'begun' });
});
hooks.add('onSend.tour', (sent) => {
  for (const { source, msg } of sent) if (isSale(source)) report({ payload: msg.payload });
});
hooks.add('onComplete.tour', ({ node, error }) => {
  // An error of a sale node goes to Catch and means that nothing was done.
  if (error && isSale(node)) report({ reason: `no sale was begun: ${error}` });
});

// When the starting process ends, for whatever reason, Node-RED shuts down cleanly.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

module.exports = {
  uiHost: '127.0.0.1',
  uiPort: Number(process.env.PORT),
  flowFile: 'flows.json',
  credentialSecret: false,
  nodesDir: [dirname(dirname(__dirname))],
  logging: { console: { level: 'warn', metrics: false, audit: false } },
  editorTheme: { tours: false },
  telemetry: { enabled: false, updateNotification: false },
};
