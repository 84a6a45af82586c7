import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { login, withLogin } from '../helpers/login.js';
import { type RunningNodeRed, startNodeRed } from '../helpers/node-red.js';

/** The editor's login before everything that the package adds to it. */

const PLANTED = 'planted-key-5511';

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

const LOOKING = ['operations', 'operations/any'];
const DOING = [
  'operations/any/check',
  'operations/any/reverse',
  'environments/environment/devices',
  'environments/environment/ping',
  'environments/environment/test',
];

describe('without permission', () => {
  let nodeRed: RunningNodeRed;

  before(async () => {
    nodeRed = await startNodeRed({
      flows: FLOWS,
      credentials: { environment: { apiKey: PLANTED } },
      settings: withLogin(),
    });
  });
  after(() => nodeRed?.stop());

  async function ask(path: string, method: string, token?: string): Promise<{ status: number; body: string }> {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const address = `${nodeRed.url}/payment-admin/${path}`;
    const answer = await fetch(address, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
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
});
