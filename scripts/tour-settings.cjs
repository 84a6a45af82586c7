/**
 * Node-RED's settings for `npm start`: this checkout's own nodes, nothing of the user's, nobody asked anything. Every
 * message that leaves a sale node, and every error of one, is told to the process that started us.
 */
const { createRequire } = require('node:module');
const { dirname } = require('node:path');

const { hooks } = createRequire(require.resolve('node-red'))('@node-red/util');

hooks.add('onSend.tour', (events) => {
  for (const { source, msg } of events)
    if (source.node?.type === 'payment-sale') process.send?.({ payload: msg.payload });
});
hooks.add('onComplete.tour', ({ node, error }) => {
  if (error && node.node?.type === 'payment-sale') process.send?.({ error: String(error) });
});

// However the starting process ends, Node-RED stops cleanly with it.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

module.exports = {
  uiHost: '127.0.0.1',
  uiPort: Number(process.env.PORT),
  flowFile: 'flows.json',
  credentialSecret: false,
  nodesDir: [dirname(__dirname)],
  logging: { console: { level: 'warn', metrics: false, audit: false } },
  editorTheme: { tours: false },
  telemetry: { enabled: false, updateNotification: false },
};
