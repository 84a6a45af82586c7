/**
 * Node-RED's settings for `npm start`: this checkout's own nodes, nothing of the user's, nobody asked anything. The process
 * that started us is told what becomes of a sale: that flows run which may begin one, that a message came to a sale node,
 * and then the payload that leaves it, or the reason why none does.
 */
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const RED = require('node-red');

const { events, hooks } = createRequire(require.resolve('node-red'))('@node-red/util');

/** Not before the editor's address answers: it is printed next. */
function tell(said) {
  if (RED.server.listening) process.send?.(said);
  else RED.server.once('listening', () => process.send?.(said));
}

const isSale = ({ node }) => node?.type === 'payment-sale';

events.on('flows:started', () => tell({ event: 'started' }));
// Flows with a node of an unknown type do not start, and say so here.
events.on('runtime-event', ({ id, payload }) => {
  if (id === 'runtime-state' && payload?.error) tell({ reason: `no sale was begun: ${payload.error}` });
});
hooks.add('onReceive.tour', ({ destination }) => {
  if (isSale(destination)) tell({ event: 'begun' });
});
hooks.add('onSend.tour', (sent) => {
  for (const { source, msg } of sent) if (isSale(source)) tell({ payload: msg.payload });
});
hooks.add('onComplete.tour', ({ node, error }) => {
  // What a sale node reports as an error goes to Catch, and means that nothing was done.
  if (error && isSale(node)) tell({ reason: `no sale was begun: ${error}` });
});

// However the starting process ends, Node-RED stops cleanly with it.
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
