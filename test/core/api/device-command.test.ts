import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../../src/core/api/client.js';
import { type CommandReply, commandTerminal } from '../../../src/core/api/device-command.js';
import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import { Abort } from '../../../src/core/base/abort.js';
import type { HttpAnswer, Send } from '../../../src/core/base/seams.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

const TERMINAL = { serial_number: '10000001', terminal_type: 'SIMULATEDT1' };
const WORKING = json(204, '');

function json(status: number, body: object | string): HttpAnswer {
  return { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

function clientOf(answer: (url: string) => HttpAnswer) {
  const clock = new VirtualClock();
  const send: Send = async ({ url }) => answer(url);
  const rateLimiters = new RateLimiterRegistry(clock);
  const client = new Client({
    baseUrl: 'https://service.example/api',
    statusUrl: 'https://service.example/status',
    apiKey: 'key',
    send,
    clock,
    rateLimiters,
  });
  return { client, clock };
}

/** What a command returns whose request is answered with the first, and whose polls with the others, the last one for ever. */
async function commanded(operation: 'pingDevice' | 'stopCurrentTransaction', ...answers: HttpAnswer[]) {
  const [first = json(202, { transactionResultId: 'result-1' }), ...polls] = answers;
  const { client, clock } = clientOf((url) =>
    url.endsWith('/transactions') ? first : ((polls.length > 1 ? polls.shift() : polls[0]) ?? WORKING),
  );
  const from = clock.now();
  let ended: { reply?: CommandReply | undefined; error?: unknown } | undefined;
  commandTerminal(client, clock, { operation, ...TERMINAL }, new Abort().signal).then(
    (reply) => (ended = { reply }),
    (error) => (ended = { error }),
  );
  await clock.runUntil(() => ended !== undefined, 60_000);
  return { ...ended, ms: clock.now() - from };
}

const ACCEPTED = json(202, { transactionResultId: 'result-1' });

for (const operation of ['pingDevice', 'stopCurrentTransaction'] as const) {
  for (const finStatus of ['FAILED', 'DECLINED']) {
    test(`${operation} that the terminal calls ${finStatus} was not done`, async () => {
      const { reply } = await commanded(operation, ACCEPTED, json(200, { finStatus, errorMessage: 'not now' }));
      assert.deepEqual([reply?.isDone, reply?.result?.errorMessage], [false, 'not now']);
    });
  }

  for (const said of [
    { finStatus: 'UNDEFINED' },
    { finStatus: 'CANCELLED', type: 'SALE', totalAmount: 1000 },
    { finStatus: 'AUTHORISED', type: 'SALE', totalAmount: 1000 },
  ]) {
    test(`${operation} whose result is ${said.finStatus} may have been done, or not`, async () => {
      const { reply, error, ms } = await commanded(operation, ACCEPTED, json(200, said));
      assert.deepEqual([reply, error, ms], [undefined, undefined, 10_000]);
    });
  }

  for (const type of ['', 'UNDEFINED', 'VOID_SALE']) {
    test(`${operation} that is PROCESSED was done, whatever its type: "${type}"`, async () => {
      const { reply, ms } = await commanded(operation, ACCEPTED, WORKING, json(200, { finStatus: 'PROCESSED', type }));
      assert.deepEqual([reply?.isDone, ms], [true, 4000]);
    });
  }

  for (const poll of [
    json(503, 'no'),
    json(403, { error: { statusCode: 403, name: 'ForbiddenError', message: 'no' } }),
  ]) {
    test(`${operation} survives a poll that is answered ${poll.status}`, async () => {
      const { reply } = await commanded(operation, ACCEPTED, poll, json(200, { finStatus: 'PROCESSED' }));
      assert.equal(reply?.isDone, true);
    });
  }
}

test('a ping that is answered at once has what was asked of the terminal', async () => {
  const { reply, ms } = await commanded(
    'pingDevice',
    json(202, { result: 'PING_PONG', deviceStatus: { batteryStatus: '80%' } }),
  );
  assert.deepEqual([reply, ms], [{ isDone: true, device: { batteryStatus: '80%' } }, 0]);
});
