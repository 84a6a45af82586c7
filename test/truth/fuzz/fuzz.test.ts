import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { Draw } from '../draw.js';
import { claimOf } from './claims.js';
import { ENDPOINTS } from './endpoints.js';
import { oddAnswer } from './odd-answers.js';
import { playCase } from './play-case.js';

const CASES = 2000;

test(`${CASES} payments whose service answers oddly are told truly, once, and leak nothing`, (t) => {
  const script = join(__dirname, '../../../scripts/fuzz.mjs');
  const range = ['--cases', String(CASES), '--from', String(randomInt(1, 2 ** 31))];
  t.diagnostic(`npm run fuzz -- ${range.join(' ')}`);
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...range], { encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  assert.equal(status, 0, `${lines.slice(0, -1).join('\n')}${stderr}`);
  const { cases, byEndpoint } = JSON.parse(lines.at(-1) ?? '');
  assert.equal(cases, CASES);
  assert.deepEqual(
    ENDPOINTS.filter((endpoint) => !byEndpoint[endpoint]),
    [],
    'nothing odd came from there',
  );
});

test('a case plays the second time as it did the first', async () => {
  const linesOf = async (): Promise<string[]> => {
    const lines: string[] = [];
    for (let seed = 1; seed <= 6; seed++) await playCase(seed, (line) => lines.push(line));
    return lines;
  };
  const first = await linesOf();
  assert.ok(first.some((line) => line.startsWith('odd ')));
  assert.deepEqual(await linesOf(), first);
});

test('an odd answer can be nearly anything', () => {
  const body = JSON.stringify({ finStatus: 'AUTHORISED', totalAmount: 1000, statusMessage: 'ok' });
  const draw = new Draw(1, 0);
  const seen = Array.from({ length: 3000 }, () => oddAnswer({ status: 200, body }, draw, ['the-key']));
  const texts = seen.map((answer) => answer.body);
  const kinds: [what: string, isIt: (text: string) => boolean][] = [
    ['empty', (text) => text === ''],
    ['cut off', (text) => text !== '' && text !== body && body.startsWith(text)],
    ['nested deep', (text) => text.includes('[[[['.repeat(10))],
    ['named as what every object has', (text) => text.includes('"__proto__":')],
    ['a secret', (text) => text.includes('the-key')],
    ['a card number', (text) => text.includes('4111111111111111')],
    ['an error', (text) => text.startsWith('{"error":')],
    ['a list', (text) => text.startsWith('[')],
    ['huge', (text) => text.length > 50_000],
  ];
  for (const [what, isIt] of kinds) assert.ok(texts.some(isIt), `never ${what}`);
  assert.ok(new Set(seen.map(({ status }) => status)).size > 30);
});

const DECLINED = { status: 200, body: '{"finStatus":"DECLINED"}' };
const APPROVED = { status: 200, body: '{"finStatus":"AUTHORISED","totalAmount":1000}' };

for (const [endpoint, answer, claim] of [
  ['callback', DECLINED, 'DECLINED'],
  ['callback', APPROVED, ''],
  ['GET /transaction-result', { ...DECLINED, status: 500 }, ''],
  ['GET /status', { status: 200, body: '[]' }, 'no record'],
  ['GET /status', { status: 200, body: '[{"finStatus":"CANCELLED","type":{}}]' }, 'CANCELLED'],
  ['GET /status', { status: 200, body: '[{"finStatus":"AUTHORISED","type":{}}]' }, ''],
  ['POST /transactions', { status: 502, body: '{"error":1001}' }, '1001'],
  ['POST /transactions', { status: 502, body: '<html>' }, ''],
  ['POST /reversal', { status: 200, body: '{"issuerResponseCode":"30"}' }, 'code 30'],
  ['POST /reversal', { status: 200, body: '{}' }, ''],
  ['POST /batch/close', DECLINED, ''],
] as const) {
  test(`${endpoint} answered ${answer.status} ${answer.body} claims ${claim === '' ? 'nothing' : claim}`, () => {
    assert.equal(claimOf(endpoint, answer), claim);
  });
}
