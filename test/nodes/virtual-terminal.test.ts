import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AdminSuite } from './admin-suite.js';

describe('what the page of the virtual terminal sends', () => {
  const suite = new AdminSuite();

  async function post(path: string, body: string): Promise<{ status: number; text: string }> {
    const answer = await fetch(`${suite.flow.url}/payment-admin/virtual-terminal/simulators/environment/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  }

  for (const [what, body] of [
    ['lists', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
  ] as const) {
    it(`is refused where ${what} are nested too deeply to be read, without a word about this program`, async () => {
      await suite.start({ environment: { kind: 'simulator' } });
      for (const path of ['faults', 'seat', 'keys', 'variants', 'terminals/10000001']) {
        const { status, text } = await post(path, body);
        assert.equal(status, 422, path);
        assert.deepEqual(JSON.parse(text), { error: 'the body is nested too deeply' }, path);
      }
    });
  }

  it('is carried out otherwise', async () => {
    await suite.start({ environment: { kind: 'simulator' } });
    assert.equal((await post('seat', '{"cardholder":"person"}')).status, 200);
    assert.equal((await post('seat', '{"cardholder":"nobody"}')).status, 422);
  });
});
