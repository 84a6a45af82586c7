import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Flow, type Service, startFlow, startService } from './flow.js';

const [FIRST, SECOND] = ['first-key-4711', 'second-key-4712'];

describe('an environment', () => {
  let service: Service;
  let flow: Flow;

  beforeEach(async () => {
    service = await startService({ merchants: [{ keys: [FIRST, SECOND] }, { keys: ['key-of-another-merchant'] }] });
  });
  afterEach(async () => {
    await flow.stop();
    await service.stop();
  });

  const start = async (credentials: Record<string, string>, environment = {}): Promise<void> => {
    flow = await startFlow({ service, credentials, environment });
  };

  test('goes on with its second key when the service refuses the first, and no file of the journal has either', async () => {
    await start({ apiKey: FIRST, secondApiKey: SECOND });
    assert.equal((await flow.run({ payload: { amount: '10.00' } })).output, 'done');
    service.simulator.merchants.revokeKey(FIRST);
    assert.equal((await flow.run({ payload: { amount: '11.00' } })).output, 'done');
    assert.equal(service.bank.charges().length, 2);
    const bytes = await readFile(join(flow.folder, 'journal.mdb'));
    assert.ok(![FIRST, SECOND].some((key) => bytes.includes(key)));
  });

  test('whose key is refused is named in the error and below the node', async () => {
    await start({ apiKey: 'not-this-one' }, { name: 'Shop in Bern' });
    const { output, msg } = await flow.run({ payload: { amount: '10.00' } });
    const { message } = msg.error as { message: string };
    assert.equal(output, 'mistake');
    assert.match(message, /Shop in Bern: the API key is refused/);
    assert.match(flow.said('sale').statuses.at(-1) ?? '', /^status\.mistake: Shop in Bern: the API key is refused/);
  });

  test('whose keys are both refused says so once for each message, and charges nothing', async () => {
    await start({ apiKey: 'not-this-one', secondApiKey: 'nor-this-one' });
    assert.equal((await flow.run({ payload: { amount: '10.00' } })).output, 'mistake');
    assert.equal(flow.answers().length, 1);
    assert.equal(service.bank.charges().length, 0);
  });

  test('tests both keys, and finds one of another merchant', async () => {
    await start({ apiKey: FIRST, secondApiKey: SECOND });
    const findings = async (secondApiKey?: string): Promise<string[]> => {
      const draft = { kind: 'demo', baseUrl: service.baseUrl, statusUrl: service.statusUrl, secondApiKey };
      const answer = await fetch(`${flow.url}/payment-admin/environments/environment/test`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ draft }),
      });
      const { findings: found } = (await answer.json()) as { findings: { check: string; reason: string }[] };
      return found.filter(({ check }) => check.includes('key')).map(({ check, reason }) => `${check} ${reason}`);
    };
    assert.deepEqual(await findings(), ['key devices', 'second-key devices'], 'the deployed one');
    assert.deepEqual(await findings('not-this-one'), ['key devices', 'second-key key-refused']);
    assert.deepEqual(await findings('key-of-another-merchant'), ['key devices', 'second-key other-merchant']);
    assert.deepEqual(await findings(''), ['key devices']);
  });
});
