import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConfigurationError, JournalError } from '../../../src/core/base/errors.js';
import { Database } from '../../../src/core/journal/postgres/connection/database.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';
import { authority, serverCertificate } from '../../harness/certificate.js';
import { PostgresServer } from '../../harness/postgres.js';

const [right, wrong] = [authority('the right authority'), authority('another authority')];

let server: PostgresServer;
let byName: string;
let byDigits: string;
let folder: string;
before(async () => {
  server = await PostgresServer.start();
  byDigits = await server.newDatabase();
  byName = byDigits.replace('127.0.0.1', 'localhost');
  folder = await mkdtemp(join(tmpdir(), 'authorities-'));
  for (const [name, { certificate }] of Object.entries({ right, wrong })) await writeFile(rootOf(name), certificate);
});
after(async () => {
  await server.end();
  await rm(folder, { recursive: true });
});

function rootOf(name: string): string {
  return join(folder, `${name}.pem`);
}

/** Whether a connection is encrypted, by what the server says. */
async function isEncrypted(address: string): Promise<boolean> {
  const database = await Database.at(address, systemClock);
  try {
    const [row] = await database.read((sql) => sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`);
    return row?.ssl;
  } finally {
    await database.close();
  }
}

/** @param query of the address, with `ROOT` and a name for the file of an authority */
function asking(address: string, query: string): string {
  return `${address}?${query.replace(/ROOT-(\w+)/, (_, name) => encodeURIComponent(rootOf(name)))}`;
}

describe('PostgreSQL: without TLS at the server', () => {
  it('nothing is sent where the address asks for it', async () => {
    await assert.rejects(isEncrypted(asking(byName, 'sslmode=require')), /the server offers no TLS/);
    assert.equal(await isEncrypted(asking(byName, 'sslmode=prefer')), false);
    assert.equal(await isEncrypted(byName), false);
  });
});

describe('PostgreSQL: with TLS, and a certificate for a name', () => {
  before(() => server.secure(serverCertificate('localhost', right)));

  for (const query of ['sslmode=prefer', 'sslmode=require', 'sslmode=verify-full&sslrootcert=ROOT-right'])
    it(`is encrypted with ${query}`, async () => {
      assert.equal(await isEncrypted(asking(byName, query)), true);
    });

  it('is encrypted only where that is asked for', async () => {
    for (const address of [byName, asking(byName, 'sslmode=disable')]) assert.equal(await isEncrypted(address), false);
  });

  it('does not matter who the server is where nobody asks for that', async () => {
    assert.equal(await isEncrypted(asking(byDigits, 'sslmode=require')), true);
  });

  for (const [what, query] of [
    ['an authority that nobody knows', 'sslmode=verify-full'],
    ['the wrong authority', 'sslmode=verify-full&sslrootcert=ROOT-wrong'],
    ['the wrong authority, though only encryption is asked for', 'sslmode=require&sslrootcert=ROOT-wrong'],
    ['an authority that the system does not know', 'sslrootcert=system'],
  ] as const)
    it(`is refused with ${what}`, async () => {
      await assert.rejects(
        isEncrypted(asking(byName, query)),
        (error) => error instanceof JournalError && /certificate/.test(error.message),
      );
    });

  it('is refused for an address in digits that the certificate does not name', async () => {
    await assert.rejects(
      isEncrypted(asking(byDigits, 'sslmode=verify-full&sslrootcert=ROOT-right')),
      (error) => error instanceof JournalError && /127\.0\.0\.1 is not in the cert/.test(error.message),
    );
  });

  it('finds the host that can be reached, and says of several why none is of use', async () => {
    const several = byName.replace('localhost:', 'localhost:1,localhost:');
    assert.equal(await isEncrypted(asking(several, 'sslmode=verify-full&sslrootcert=ROOT-right')), true);
    await assert.rejects(
      isEncrypted(asking(several, 'sslmode=verify-full')),
      /no answer within 8000 ms \(.*REFUSED.*; .*certificate.*\)|no answer within 8000 ms \(.*certificate.*; .*REFUSED.*\)/,
    );
  });

  it('hears what another connection notifies', async () => {
    const database = await Database.at(asking(byName, 'sslmode=verify-full&sslrootcert=ROOT-right'), systemClock);
    let hear: (text: string) => void = () => undefined;
    const heard = new Promise<string>((resolve) => {
      hear = resolve;
    });
    const stop = await database.listen('news', (text) => hear(text));
    await database.read((sql) => sql`SELECT pg_notify('news', 'this')`);
    assert.equal(await heard, 'this');
    await stop();
    await database.close();
  });
});

describe('PostgreSQL: with TLS, and a certificate for an address in digits', () => {
  before(() => server.secure(serverCertificate('127.0.0.1', right)));

  it('is accepted there, and refused for a name', async () => {
    const query = 'sslmode=verify-full&sslrootcert=ROOT-right';
    assert.equal(await isEncrypted(asking(byDigits, query)), true);
    await assert.rejects(isEncrypted(asking(byName, query)), /localhost/);
  });
});

describe('PostgreSQL: what an address says of TLS', () => {
  for (const [query, why] of [
    ['sslmode=verify_full', /sslmode=verify_full: expected one of disable, prefer, require, verify-full/],
    ['sslrootcert=ROOT-right', /sslrootcert needs sslmode=verify-full/],
    ['sslmode=prefer&sslrootcert=ROOT-right', /sslrootcert needs sslmode=verify-full/],
    ['sslmode=verify-full&sslrootcert=ROOT-none', /sslrootcert: cannot read the file: .*none\.pem/],
    ['sslmode=verify-full&sslrootcert=%2Fdev%2Fnull', /holds no certificate/],
    ['target_session_attrs=odd', /target_session_attrs odd/],
  ] as const)
    it(`is refused where it cannot be kept: ${query}`, async () => {
      await assert.rejects(Database.at(asking(byName, query), systemClock), (error) => {
        assert.ok(error instanceof ConfigurationError);
        assert.match(error.message, why);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    });
});
