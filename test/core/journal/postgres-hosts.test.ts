import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Database } from '../../../src/core/journal/postgres/connection/database.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { HeldClock } from './held-clock.js';

/** Between the end of a connection to a host and the next one to it, ms; less what timers are early. */
const PAUSE = 490;
const PATIENCE = 8000;

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

interface Host {
  place: string;
  /** When each connection came, by the time of this process, ms. */
  came: number[];
  /** Resolves with the connection of this number, from 1. */
  nth(number: number): Promise<void>;
  close(): void;
}

/** A host that is no database. */
async function host(serve: (socket: Socket) => void): Promise<Host> {
  const came: number[] = [];
  const listener: Server = createServer((socket) => {
    came.push(performance.now());
    socket.on('error', () => undefined);
    serve(socket);
    listener.emit('came');
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    place: `127.0.0.1:${address.port}`,
    came,
    nth: async (number) => {
      while (came.length < number) await once(listener, 'came');
    },
    close: () => listener.close(),
  };
}

const closes = (socket: Socket): void => void socket.end();
/** Accepts TLS, and closes then. */
const promises = (socket: Socket): void => void socket.once('data', () => socket.end('S'));

describe('PostgreSQL: several hosts', { concurrency: true }, () => {
  for (const [what, serve, query, count] of [
    ['accept and close', closes, '', 2],
    ['accept TLS and close', promises, '?sslmode=require', 2],
    ['are one, which accepts and closes,', closes, '', 1],
  ] as const)
    it(`that ${what} are tried at once, and each again after a pause`, async () => {
      const hosts = await Promise.all(Array.from({ length: count }, () => host(serve)));
      const clock = new HeldClock();
      const places = hosts.map(({ place }) => place).join();
      const database = await Database.at(`postgresql://u:p@${places}/x${query}`, clock);
      const asked = performance.now();
      const read = database.read((sql) => sql`SELECT 1`);
      await Promise.all(hosts.map(({ nth }) => nth(3)));
      await Promise.all([clock.fire(PATIENCE), assert.rejects(read, /no answer/)]);
      for (const { came, close } of hosts) {
        const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = came;
        assert.ok(first - asked < PAUSE, `the first after ${first - asked} ms`);
        for (const waited of [second - first, third - second]) assert.ok(waited >= PAUSE, `again after ${waited} ms`);
        close();
      }
      await database.close();
    });

  it('of which one says nothing: another one has its turn, and the first turn from then on', async () => {
    const address = await server.newDatabase();
    const silent = await host(() => undefined);
    const database = await Database.at(address.replace('@', `@${silent.place},`), systemClock);
    const connection = async (): Promise<number> => {
      const [row] = await database.read((sql) => sql`SELECT pg_backend_pid() AS pid`);
      return row?.pid;
    };
    await connection();
    const others = await Promise.all([1, 2, 3, 4].map(connection));
    assert.ok(new Set(others).size > 1);
    assert.equal(silent.came.length, 1);
    silent.close();
    await database.close();
  });

  it('of which one may be written to: that one is, and after it has changed the other', async () => {
    const other = await PostgresServer.start();
    const name = databaseIn(await server.newDatabase());
    await other.query('postgres', (sql) => sql.unsafe(`CREATE DATABASE ${name}`));
    const servers = { first: server, second: other };
    for (const [text, one] of Object.entries(servers)) {
      await one.query(name, (sql) => sql.unsafe(`CREATE TABLE who (name text)`));
      await one.query(name, (sql) => sql`INSERT INTO who VALUES (${text})`);
    }
    const open = (one: PostgresServer, isOpen: boolean): Promise<unknown> =>
      one.query('postgres', async (sql) => {
        await sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isOpen ? 'off' : 'on'}`);
        await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`;
      });
    await open(server, false);
    const hosts = `127.0.0.1:${server.port},127.0.0.1:${other.port}`;
    const database = await Database.at(
      `postgresql://payments:secret@${hosts}/${name}?target_session_attrs=read-write`,
      systemClock,
    );
    const who = async (): Promise<string> => {
      const [row] = await database.read((sql) => sql`SELECT name FROM who`);
      return row?.name;
    };
    assert.equal(await who(), 'second');
    await open(server, true);
    await open(other, false);
    const changedAt = performance.now();
    assert.equal(await who().catch(() => who()), 'first');
    assert.ok(performance.now() - changedAt < PATIENCE / 2);
    await database.close();
    await other.end();
  });
});
