import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { DEFAULT_KEY } from '../../src/simulator/index.js';
import { AdminSuite, TERMINAL } from './admin-suite.js';

describe('what the dialogs ask about an environment', () => {
  const suite = new AdminSuite();

  it('lists the terminals of an environment: not the virtual one, and no shared secret', async () => {
    await suite.start();
    const { body } = await suite.ask<{ devices: object[] }>('environments/environment/devices', {});
    assert.ok(body.devices.length >= 3);
    assert.deepEqual(body.devices[0], TERMINAL);
    assert.doesNotMatch(JSON.stringify(body), /"VT"|ssk/);
  });

  it('says whether a terminal answers', async () => {
    await suite.start();
    const ping = async (terminal: object) => (await suite.ask('environments/environment/ping', terminal)).body;
    assert.deepEqual(await ping(TERMINAL), { answers: true });
    assert.equal((await suite.ask('environments/environment/ping', {})).status, 422);
    assert.deepEqual(Object.keys((await ping({ ...TERMINAL, serial_number: '99999999' })) as object), [
      'answers',
      'why',
    ]);
  });

  describe('test connection', () => {
    type Finding = { check: string; state: string; reason: string; figure?: number; detail?: string };

    async function test(draft?: object): Promise<Finding[]> {
      const { status, body } = await suite.ask<{ findings: Finding[] }>('environments/environment/test', { draft });
      assert.equal(status, 200);
      return body.findings;
    }
    const words = (findings: Finding[]): string[] =>
      findings.map(({ check, state, reason }) => `${check} ${state} ${reason}`);
    const asDeployed = (): object => ({
      kind: 'demo',
      baseUrl: suite.service.baseUrl,
      statusUrl: suite.service.statusUrl,
    });

    it('finds nothing wrong with an environment that works, and calls its public address', async () => {
      await suite.start();
      assert.deepEqual(words(await test()), [
        'service ok reached',
        'key ok devices',
        'status ok reached',
        'clock ok clock',
        'callback ok arrived',
      ]);
    });

    it('tells a key that is refused from an address that nobody answers at', async () => {
      await suite.start();
      const refused = await test({ ...asDeployed(), apiKey: 'not-this-one' });
      assert.deepEqual(words(refused).slice(0, 2), ['service ok reached', 'key bad key-refused']);
      const nobody = await test({ ...asDeployed(), baseUrl: 'http://127.0.0.1:1', apiKey: 'key' });
      assert.equal(words(nobody)[0], 'service bad not-reached');
    });

    it('tells another web server from the service', async () => {
      await suite.start();
      const other = createServer((_request, response) => response.end('<html>'));
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const baseUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const findings = await test({ ...asDeployed(), baseUrl, apiKey: 'key' });
      other.closeAllConnections();
      other.close();
      assert.equal(words(findings)[0], 'service bad not-the-service');
    });

    it('blames a wrong path of the service on the address, and not on the key', async () => {
      await suite.start();
      const baseUrl = `${suite.service.baseUrl}/nowhere`;
      const findings = await test({ ...asDeployed(), baseUrl, apiKey: DEFAULT_KEY });
      assert.equal(words(findings)[0], 'service bad not-the-service');
    });

    it('never sends the key that is kept to an address that is new', async () => {
      await suite.start();
      const heard: unknown[] = [];
      const thief = createServer((request, response) => {
        heard.push(request.headers);
        response.end('[]');
      });
      await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
      const baseUrl = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
      for (const draft of [
        { ...asDeployed(), baseUrl },
        { ...asDeployed(), statusUrl: baseUrl },
      ]) {
        const [finding] = await test(draft);
        assert.match(finding?.detail ?? '', /enter the API key again/);
      }
      thief.close();
      assert.deepEqual(heard, []);
    });

    it('says which field of a live environment is not safe', async () => {
      await suite.start();
      const [finding] = await test({ ...asDeployed(), kind: 'live', apiKey: 'key' });
      assert.equal(finding?.check, 'settings');
      assert.match(finding?.detail ?? '', /a live environment needs https/);
    });

    it('says when nobody listens at the public address, and when a call to it ends elsewhere', async () => {
      await suite.start();
      const nobody = await test({ ...asDeployed(), callbackUrl: 'https://till.example/other' });
      assert.equal(words(nobody).at(-1), 'callback bad nobody-listens');
      const elsewhere = await test({
        ...asDeployed(),
        callbackUrl: `${suite.service.baseUrl.replace('/api', '')}/payments`,
      });
      assert.equal(words(elsewhere).at(-1), 'callback bad elsewhere');
    });

    it('needs nothing for the simulator', async () => {
      await suite.start();
      assert.deepEqual(words(await test({ kind: 'simulator' })), [
        'service ok reached',
        'key ok devices',
        'status ok reached',
        'callback ok inside',
      ]);
    });

    it('takes a variable for every field', async () => {
      process.env.TILL_SERVICE = suite.service.baseUrl;
      await suite.start();
      for (const baseUrl of [`\${TILL_SERVICE}`, '$(TILL_SERVICE)']) {
        const findings = await test({ ...asDeployed(), baseUrl });
        assert.equal(words(findings)[1], 'key ok devices', baseUrl);
      }
      delete process.env.TILL_SERVICE;
    });
  });
});
