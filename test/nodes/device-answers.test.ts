import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { action, startFlow, typed } from './flow.js';

/** What leaves payment-device where the terminal, or a proxy, says something else than that it was done. */

type Said = [status: number, body: string];

const said = { accepted: [202, '{"transactionResultId":"result-1"}'] as Said, result: [204, ''] as Said };
describe('A device command that is answered otherwise', () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const [status, body] = request.url?.includes('/transaction-result/') ? said.result : said.accepted;
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  let flow: Awaited<ReturnType<typeof startFlow>>;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const service = { baseUrl: `${origin}/api`, statusUrl: `${origin}/status` };
    const locale = { settings: '{"locale":"en_US"}', settingsType: 'json' };
    flow = await startFlow({
      service,
      more: [
        action('stop', 'payment-device', typed('operation', 'stopCurrentTransaction')),
        action('locale', 'payment-device', { ...typed('operation', 'set-locale'), ...locale }),
      ],
    });
  });

  after(async () => {
    await flow.stop();
    server.close();
  });

  test('a stop that the terminal calls failed leaves by "not done", with its reason: the terminal is not free', async () => {
    said.result = [200, '{"finStatus":"FAILED","errorMessage":"Card is being processed"}'];
    const { output, msg } = await flow.run({ payload: {} }, 'stop');
    const { outcome, moneyMoved, error, result } = msg.payload;
    assert.deepEqual([output, outcome, moneyMoved], ['not-done', 'failed', 'no']);
    assert.deepEqual([error?.code, error?.message], ['FAILED', 'Card is being processed']);
    assert.equal(result?.finStatus, 'FAILED');
  });

  test('a setting that a proxy answers leaves by "needs attention"', async () => {
    said.accepted = [200, '<html>Log in</html>'];
    const { output, msg } = await flow.run({ payload: {} }, 'locale');
    assert.deepEqual([output, msg.payload.outcome], ['needs-attention', 'unknown']);
  });
});
