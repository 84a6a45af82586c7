const { randomUUID } = require('node:crypto');
const { Pool } = require('undici');

/** The least a sale can cost: the same request with undici, the same callback, nothing checked and nothing kept. */
module.exports = (RED) => {
  RED.nodes.registerType('bench-bare', function BenchBare(config) {
    RED.nodes.createNode(this, config);
    const { origin, pathname } = new URL(config.baseUrl);
    const pool = new Pool(origin, { connections: 64 });
    const waiting = new Map();

    const settle = (reference, payload) => {
      const { msg, send, done } = waiting.get(reference);
      waiting.delete(reference);
      send({ ...msg, payload });
      done();
    };

    const post = async (reference, { terminal }) => {
      const { statusCode, body } = await pool.request({
        path: `${pathname}/transactions`,
        method: 'POST',
        headers: { ApiKeyCloud: config.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({
          operation: 'sale',
          ...terminal,
          amount: '1000',
          currency: 'EUR',
          transactionReference: reference,
          callbackUrl: `${config.callback}/bare`,
          token: 'bare',
          duplicate_check: false,
        }),
      });
      const text = await body.text();
      if (statusCode !== 202) settle(reference, { outcome: 'refused', text });
    };

    this.on('input', (msg, send, done) => {
      const reference = randomUUID();
      waiting.set(reference, { msg, send, done });
      post(reference, msg).catch((error) => settle(reference, { outcome: 'unknown', text: String(error) }));
    });
    RED.httpNode.post('/bare', (request, response) => {
      const { transactionReference, finStatus } = request.body;
      response.sendStatus(200);
      settle(transactionReference, { outcome: finStatus === 'AUTHORISED' ? 'approved' : finStatus });
    });
    this.on('close', (done) => {
      pool.close().then(done, done);
    });
  });
};
