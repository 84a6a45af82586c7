import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { AnswerLostError, NotSentError } from '../../../src/core/base/errors.js';
import type { HttpRequest } from '../../../src/core/base/seams.js';
import { createHttpSend } from '../../../src/core/platform/undici-send.js';
import { authority, serverCertificate } from '../../harness/certificate.js';

const execute = promisify(execFile);

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function sender(t: TestContext) {
  const send = createHttpSend();
  t.after(() => send.close());
  return (url: string, more: Partial<HttpRequest> = {}) =>
    send({ method: 'GET', url, headers: {}, timeoutMs: 10_000, ...more });
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const isLost = (error: unknown): boolean => error instanceof AnswerLostError;

test('brings method, path, headers and body there, and status and text back', async (t) => {
  const origin = await serve(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    response.writeHead(418).end(JSON.stringify([method, url, headers['x-one'], Buffer.concat(chunks).toString()]));
  });
  const answer = await sender(t)(`${origin}/a%2Fb?c=d`, { method: 'POST', headers: { 'x-one': '1' }, body: 'Zoë' });
  assert.equal(answer.status, 418);
  assert.deepEqual(JSON.parse(answer.body), ['POST', '/a%2Fb?c=d', '1', 'Zoë']);
});

const TEXT = '{"statusMessage":"Genehmigt für 10 €"}';

test('an answer is read that was packed on its way', async (t) => {
  const origin = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(TEXT));
  });
  const answer = await sender(t)(origin);
  assert.equal(answer.body, TEXT);
});

for (const [how, body] of [
  ['behind a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
  ['in UTF-16', Buffer.from(TEXT, 'utf16le')],
  ['in UTF-16 behind a byte order mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['in UTF-16, the other way round', Buffer.from(TEXT, 'utf16le').swap16()],
  ['in UTF-16, the other way round, behind a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
] as const) {
  test(`an answer is read that is written ${how}`, async (t) => {
    const origin = await serve(t, (_request, response) => response.end(body));
    assert.equal((await sender(t)(origin)).body, TEXT);
  });
}

test('an answer that is empty, or no text, is left as it is', async (t) => {
  for (const body of [Buffer.alloc(0), Buffer.from([0]), Buffer.from([0, 0x7b, 0])]) {
    const origin = await serve(t, (_request, response) => response.end(body));
    assert.equal((await sender(t)(origin)).body, body.toString('utf8'));
  }
});

test('is certain that nothing was sent when nobody listens or the name does not exist', async (t) => {
  const send = sender(t);
  await assert.rejects(send(`http://127.0.0.1:${await closedPort()}/`), NotSentError);
  await assert.rejects(send(`http://localhost:${await closedPort()}/`), NotSentError);
  await assert.rejects(send('http://nobody.invalid/'), NotSentError);
});

test('is certain that nothing was sent when TLS cannot be agreed on, whatever the reason', async (t) => {
  const send = sender(t);
  const plain = await serve(t, (_request, response) => response.end());
  await assert.rejects(send(plain.replace('http:', 'https:')), NotSentError);
  const hangsUp = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  t.after(() => hangsUp.close());
  await once(hangsUp, 'listening');
  await assert.rejects(send(`https://127.0.0.1:${(hangsUp.address() as AddressInfo).port}/`), NotSentError);
});

const DAY = 24 * 3_600_000;
const OLD_TLS = {
  minVersion: 'TLSv1',
  maxVersion: 'TLSv1.1',
  ciphers: 'DEFAULT@SECLEVEL=0',
} as const satisfies ServerOptions;
const POSTS = `require('./src/core/platform/undici-send.ts').createHttpSend()({ method: 'POST', url: process.argv[1], headers: {}, body: '{}', timeoutMs: 10_000 })
  .then(({ status }) => process.stdout.write(String(status)), ({ code, cause }) => process.stdout.write(code + ' ' + cause.code))
  .finally(() => process.exit())`;

const SERVERS: [what: string, options: ServerOptions, from: number | undefined, said: RegExp, received: number][] = [
  ['a certificate that is not valid yet', {}, Date.now() + DAY, /^NOT_SENT CERT_NOT_YET_VALID$/, 0],
  ['a version of TLS that is too old', OLD_TLS, undefined, /^NOT_SENT ERR_SSL_\w*PROTOCOL/, 0],
  ['a certificate and a version that are right', {}, undefined, /^200$/, 1],
];

for (const [what, options, from, said, received] of SERVERS) {
  test(`${received === 0 ? 'is certain that nothing was sent to' : 'sends to'} a server with ${what}`, async (t) => {
    const trusted = authority('an authority');
    const { certificate: cert, key } = serverCertificate('127.0.0.1', trusted, from);
    let requests = 0;
    const server = createTlsServer({ cert, key, ...options }, (_request, response) => {
      requests++;
      response.end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const folder = await mkdtemp(join(tmpdir(), 'authority-'));
    t.after(() => {
      server.close();
      return rm(folder, { recursive: true });
    });
    const file = join(folder, 'authority.pem');
    await writeFile(file, trusted.certificate);
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    // Node.js reads whom it trusts when it starts.
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
    const { stdout } = await execute(process.execPath, ['--require', 'tsx/cjs', '-e', POSTS, url], { env });
    assert.match(stdout, said);
    assert.equal(requests, received);
  });
}

test('is certain that nothing was sent when the HTTP library cannot be loaded', () => {
  const script = `const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => {
      if (name === 'undici') throw new Error('undici cannot be loaded');
      return resolve(name, ...rest);
    };
    require('./src/core/platform/undici-send.ts').createHttpSend()({ method: 'GET', url: 'http://127.0.0.1:9/', headers: {}, timeoutMs: 1000 })
      .catch((error) => process.stdout.write(error.code + ' ' + error.message));`;
  const run = spawnSync(process.execPath, ['--require', 'tsx/cjs', '-e', script], { encoding: 'utf8' });
  assert.equal(run.stdout, 'NOT_SENT GET http://127.0.0.1:9: undici cannot be loaded', run.stderr);
});

test('does not know what became of a request whose connection breaks', async (t) => {
  const send = sender(t);
  await assert.rejects(send(await serve(t, (request) => request.socket.destroy())), isLost);
  await assert.rejects(send(await serve(t, (request) => request.socket.resetAndDestroy())), isLost);
});

test('does not know what became of a request whose answer is cut short', async (t) => {
  const origin = await serve(t, (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"status', () => request.socket.destroy());
  });
  await assert.rejects(sender(t)(origin), isLost);
});

test('gives up when the answer is not complete in time', async (t) => {
  const origin = await serve(t, (_request, response) => {
    response.writeHead(200).write('{');
  });
  await assert.rejects(sender(t)(origin, { timeoutMs: 50 }), (error) => isLost(error) && /50 ms/.test(String(error)));
});

test('gives up when it is withdrawn on the way', async (t) => {
  const withdrawal = new AbortController();
  const origin = await serve(t, () => withdrawal.abort());
  await assert.rejects(sender(t)(origin, { signal: withdrawal.signal }), isLost);
});

test('does not send what was given up while it waited for a connection', async (t) => {
  let received = 0;
  const origin = await serve(t, (_request, response) => {
    received++;
    response.end();
  });
  const send = sender(t);
  await assert.rejects(send(origin, { signal: AbortSignal.abort() }), isLost);
  const withdrawal = new AbortController();
  const given = send(origin, { signal: withdrawal.signal });
  withdrawal.abort();
  await assert.rejects(given, isLost);
  await send(origin);
  assert.equal(received, 1);
});

test('reads an answer of up to 1 MiB, and none beyond', async (t) => {
  const origin = await serve(t, (request, response) => {
    response.end(Buffer.alloc(Number(request.headers['x-size']), 'a'));
  });
  const send = sender(t);
  const size = 1024 * 1024;
  assert.equal((await send(origin, { headers: { 'x-size': String(size) } })).body.length, size);
  await assert.rejects(send(origin, { headers: { 'x-size': String(size + 1) } }), isLost);
  assert.equal((await send(origin, { headers: { 'x-size': '2' } })).body, 'aa');
});

test('reports what is under way as lost when it is closed', async (t) => {
  const send = createHttpSend();
  const origin = await serve(t, () => void send.close());
  await assert.rejects(send({ method: 'POST', url: origin, headers: {}, timeoutMs: 10_000 }), isLost);
});

test('does not load its HTTP library before the first request', () => {
  const script = `require('./src/core/platform/undici-send.ts').createHttpSend();
    process.stdout.write(String(Object.keys(require.cache).some((file) => file.includes('/undici/'))))`;
  const run = spawnSync(process.execPath, ['--require', 'tsx/cjs', '-e', script], { encoding: 'utf8' });
  assert.equal(run.stdout, 'false', run.stderr);
});

test('takes no answer of a cache for what is true now', async (t) => {
  const origin = await serve(t, (request, response) => {
    response.writeHead(404, request.url === '/fresh' ? { age: '0' } : { age: '300' }).end('{}');
  });
  const send = sender(t);
  await assert.rejects(send(`${origin}/kept`), isLost);
  assert.equal((await send(`${origin}/fresh`)).status, 404);
});

for (const [what, age] of [
  ['two caches that each say its age', ['600', '600']],
  ['two caches, one of which has just got it,', ['600', '0']],
  ['two caches in one line', '600, 600'],
  ['a cache that says its age in words', 'old'],
  ['a cache that says no age', ''],
] as const) {
  test(`takes no answer of ${what} for what is true now`, async (t) => {
    const origin = await serve(t, (_request, response) => {
      response.setHeader('age', age).writeHead(404).end('{}');
    });
    await assert.rejects(sender(t)(origin), isLost);
  });
}

test('takes an answer for fresh that each cache in between has just got', async (t) => {
  const origin = await serve(t, (_request, response) => {
    response.setHeader('age', ['0', '0']).writeHead(404).end('{}');
  });
  assert.equal((await sender(t)(origin)).status, 404);
});

test('takes what was done for the answer although the age of it cannot be read, and not if it is old', async (t) => {
  const origin = await serve(t, (request, response) => {
    response
      .setHeader('age', request.url === '/old' ? ['0', '600'] : 'old')
      .writeHead(202)
      .end('{}');
  });
  const send = sender(t);
  assert.equal((await send(`${origin}/unread`, { method: 'POST' })).status, 202);
  await assert.rejects(send(`${origin}/old`, { method: 'POST' }), isLost);
});

test('takes the answer after an interim response, whose headers say nothing of it', async (t) => {
  const server = createTcpServer((socket) =>
    socket.once('data', () =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nAge: 55\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n{}`),
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await sender(t)(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' });
  assert.deepEqual(answer, { status: 202, body: '{}' });
});

for (const [what, packings, body] of [
  ['is said twice to be packed', ['gzip', 'gzip'], gzipSync(TEXT)],
  ['is said twice not to be packed', ['identity', 'identity'], Buffer.from(TEXT)],
  ['is packed twice', ['gzip', 'gzip'], gzipSync(gzipSync(TEXT))],
  ['is packed in two ways', ['gzip, br'], brotliCompressSync(gzipSync(TEXT))],
] as const) {
  test(`an answer is read that ${what}`, async (t) => {
    const origin = await serve(t, (_request, response) => {
      response.setHeader('content-encoding', [...packings]).end(body);
    });
    assert.equal((await sender(t)(origin)).body, TEXT);
  });
}
