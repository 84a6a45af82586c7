import type { Sql } from 'postgres';
import { ConfigurationError } from '../../../base/errors.js';
import { tlsIn } from './address.js';
import { Sockets } from './sockets.js';

/** So long after a connection was lost the next one is opened, ms. */
const PAUSE = 500;
/** More than a host takes to say that it may not be written to, ms. */
const SOON = 2000;
const CONNECTIONS = 4;

/** Connections that are opened and ended together. */
export interface Pool {
  sql: Sql;
  /** At once. What was under way fails. */
  end(): Promise<void>;
}

/** Where the connections to a database come from. */
export interface Source {
  /** Connects with the first statement. */
  open(): Pool;
  /** Why no host is of use, as far as is known. Empty where one is. */
  failure(): string;
}

/**
 * Loads the driver.
 * @param patienceMs what a connection may take at most
 * @throws ConfigurationError
 */
export async function connectionsTo(address: string, patienceMs: number): Promise<Source> {
  const { address: known, tls } = await tlsIn(address);
  const { default: postgres } = await import('postgres');
  const options = {
    max: CONNECTIONS,
    backoff: () => PAUSE / 1000,
    connect_timeout: patienceMs / 1000,
    // Named statements do not pass through a pooler that gives each transaction another connection.
    prepare: false,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'cloud-terminal' },
    ssl: false,
  };
  // The driver reads it before anything connects, so that what it does not understand is refused now.
  const { host, port } = parsed(() => postgres(known, options).options);
  const places = host.map((name, place) => ({ host: name, port: portOf(port[place]) }));
  // One that says nothing leaves time for another.
  const answerMs = places.length > 1 ? patienceMs / 2 : patienceMs;
  const sockets = new Sockets(places, tls, { pauseMs: PAUSE, answerMs, soonMs: SOON });
  const open = (): Pool => {
    const over = new AbortController();
    const withSockets = { ...options, socket: () => sockets.open(over.signal) };
    const sql = postgres(known, withSockets);
    return {
      sql,
      end: () => {
        over.abort();
        return sql.end({ timeout: 0 });
      },
    };
  };
  return { open, failure: () => sockets.failure };
}

/** @throws ConfigurationError */
function portOf(port: number | undefined): number {
  if (port !== undefined && port > 0 && port < 65_536) return port;
  throw new ConfigurationError('the address of the database: expected a port from 1 to 65535');
}

/** @throws ConfigurationError */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigurationError(`the address of the database: ${(error as Error).message}`);
  }
}
