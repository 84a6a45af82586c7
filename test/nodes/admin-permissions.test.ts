import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { login, withLogin } from '../harness/login.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

/** The editor's login before everything that the package adds to it. */

const PLANTED = 'planted-key-5511';
const VARIABLE = 'planted-variable-5512';

const FLOWS = [
  { id: 'tab', type: 'tab', label: 'till' },
  {
    id: 'environment',
    type: 'payment-environment',
    kind: 'demo',
    baseUrl: 'http://127.0.0.1:1/api',
    statusUrl: 'http://127.0.0.1:1/status',
    group: 'B',
  },
];

const LOOKING = ['operations', 'operations?ids=any', 'operations/any'];
const DOING = [
  'operations/any/check-now',
  'operations/any/reverse',
  'operations/any/refund',
  'operations/any/handled',
  'operations/any/handled/withdraw',
  'environments/environment/devices',
  'environments/environment/ping',
  'environments/environment/test',
  'journals/journal/test',
];

describe('without permission', () => {
  let nodeRed: RunningNodeRed;

  before(async () => {
    nodeRed = await startNodeRed({
      flows: FLOWS,
      credentials: { environment: { apiKey: PLANTED } },
      settings: withLogin(),
      env: { TILL_SECRET: VARIABLE },
    });
  });
  after(() => nodeRed?.stop());

  async function ask(
    path: string,
    method: string,
    token?: string,
    asked: object = {},
  ): Promise<{ status: number; body: string }> {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const address = `${nodeRed.url}/payment-admin/${path}`;
    const answer = await fetch(address, {
      method,
      headers,
      ...(method === 'POST' ? { body: JSON.stringify(asked) } : {}),
    });
    const body = await answer.text();
    assert.ok(!body.includes(PLANTED), `${path} tells no secret`);
    return { status: answer.status, body };
  }

  it('nobody who is not logged in is answered', async () => {
    for (const path of LOOKING) assert.equal((await ask(path, 'GET')).status, 401, path);
    for (const path of DOING) assert.equal((await ask(path, 'POST')).status, 401, path);
  });

  it('who may only read may look, and do nothing', async () => {
    const token = await login(nodeRed.url, 'reader');
    assert.equal((await ask('operations', 'GET', token)).status, 200);
    for (const path of DOING) assert.equal((await ask(path, 'POST', token)).status, 401, path);
  });

  it('who may write is answered, and told no secret', async () => {
    const token = await login(nodeRed.url, 'owner');
    const { status, body } = await ask('environments/environment/test', 'POST', token);
    assert.equal(status, 200);
    assert.match(body, /not-reached/);
    for (const path of LOOKING) assert.notEqual((await ask(path, 'GET', token)).status, 401, path);
    for (const path of DOING) assert.notEqual((await ask(path, 'POST', token)).status, 401, path);
  });

  it('who may act on payments alone has none of the variables of this process sent anywhere', async () => {
    const heard: unknown[] = [];
    const thief = createServer((request, response) => {
      heard.push(request.headers.apikeycloud);
      response.end('[]');
    });
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
    const draft = { kind: 'demo', baseUrl: address, statusUrl: address, apiKey: `\${TILL_SECRET}` };
    const [cashier, owner] = [await login(nodeRed.url, 'cashier'), await login(nodeRed.url, 'owner')];
    for (const path of ['devices', 'ping', 'test'].map((what) => `environments/environment/${what}`)) {
      assert.equal((await ask(path, 'POST', cashier, { draft })).status, 401, path);
      assert.notEqual((await ask(path, 'POST', cashier)).status, 401, `${path}: as it runs`);
    }
    assert.deepEqual(heard, []);
    await ask('environments/environment/devices', 'POST', owner, { draft });
    assert.deepEqual(heard, [VARIABLE], 'who may deploy it may try it first');
    thief.close();
  });
});
