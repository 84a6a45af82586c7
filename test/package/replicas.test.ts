import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT } from '../harness/node-red.js';
import { frontendIn } from './haproxy-rules.js';

const FOLDER = join(ROOT, 'docs/replicas');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

/** The lines of a service in the compose file. */
function serviceIn(compose: string, name: string): string[] {
  const lines = compose.split('\n');
  const begin = lines.indexOf(`  ${name}:`);
  assert.ok(begin >= 0, name);
  const length = lines.slice(begin + 1).findIndex((line) => /^ {0,2}\S/.test(line));
  return lines.slice(begin + 1, begin + 1 + length);
}

describe('the replicas of the documentation', () => {
  const { passes } = frontendIn(read('haproxy.cfg'), 'public');

  for (const path of ['/payments/4f1c', '/payments/a/b?c=d', '/shop/orders'])
    test(`pass ${path} on`, () => assert.ok(passes(path)));

  for (const path of [
    ...['/', '/flows', '/auth/login', '/settings', '/comms', '/red/red.min.js', '/nodes', '/credentials/x/y'],
    ...['/payment-admin/operations', '/payments', '/paymentsx', '/Payments/4f1c', '//payments/4f1c', '/shop'],
    ...['/payments/../payment-admin/operations', '/shop/..%2fflows', '/shop/%2E%2E/flows', '/payments/..\\flows'],
  ])
    test(`keep ${path} to themselves`, () => assert.ok(!passes(path)));

  test('are told of a rule that this test does not know', () => {
    assert.throws(
      () => frontendIn(`${read('haproxy.cfg').replace('default_backend', 'use_backend')}`, 'public'),
      /not understood/,
    );
  });

  test('start and go on while a Node-RED is down or has another address', () => {
    assert.match(read('haproxy.cfg'), /^ +default-server .*\bresolvers docker\b.* init-addr last,libc,none$/m);
  });

  test('show their editors to their own machine alone, and the balancer to all', () => {
    const compose = read('compose.yaml');
    const published = (service: string): string[] =>
      serviceIn(compose, service).flatMap((line) => /^ {6}- "(.*:\d+)"$/.exec(line)?.[1] ?? []);
    const everywhere = ['prepare', 'copy', 'database', 'node-red-1', 'node-red-2', 'balancer'].flatMap((service) =>
      published(service).map((ports) => `${service} ${ports}`),
    );
    assert.deepEqual(everywhere, [
      'node-red-1 127.0.0.1:1881:1880',
      'node-red-2 127.0.0.1:1882:1880',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as in the file
      'balancer ${PUBLIC_PORT:-8080}:8080',
    ]);
    assert.equal(compose.match(/^ +ports:/gm)?.length, everywhere.length);
    assert.doesNotMatch(compose, /network_mode/);
  });

  test('bring every file that their image copies', () => {
    const [, names = ''] = /^COPY (.*) \*\.tgz\* \/replicas\/$/m.exec(read('Dockerfile')) ?? [];
    assert.deepEqual(
      names.split(' ').filter((name) => !existsSync(join(FOLDER, name))),
      [],
    );
    assert.ok(names.includes('settings.js'));
  });
});
