import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../../../base/errors.js';

/** How connections are secured. */
export interface TlsSettings {
  /** `unchecked`: encrypted, whoever the server is. `preferred`: so where the server offers it. */
  mode: 'off' | 'preferred' | 'unchecked' | 'checked';
  /** Without asking for it first, as servers from version 17 on take it. */
  isDirect: boolean;
  /** The authorities that may vouch for the server, in place of those that Node.js knows. */
  authorities?: string;
}

const MODES: Readonly<Record<string, TlsSettings['mode']>> = {
  disable: 'off',
  false: 'off',
  allow: 'preferred',
  prefer: 'preferred',
  require: 'unchecked',
  true: 'checked',
  'verify-ca': 'checked',
  'verify-full': 'checked',
};
/** Authorities that Node.js knows. */
const SYSTEM = 'system';
/** Servers do not know it: it is about a file of the client. */
const ROOT_CERTIFICATE = 'sslrootcert';

/** The name of a database for logs and errors, without user and password. @throws ConfigurationError which does not show it */
export function databaseName(address: string): string {
  const { hosts, database } = parts(address);
  return `${hosts}/${database}`;
}

/**
 * What an address says of TLS, and the address without what the server would not understand.
 * @throws ConfigurationError
 */
export async function tlsIn(address: string): Promise<{ address: string; tls: TlsSettings }> {
  const { length } = parts(address);
  const query = new URLSearchParams(address.slice(length));
  const root = query.get(ROOT_CERTIFICATE);
  const mode = query.get('sslmode') ?? query.get('ssl') ?? (root === SYSTEM ? 'verify-full' : 'disable');
  const known = MODES[mode];
  if (known === undefined) throw refused(`sslmode=${mode}: expected one of disable, prefer, require, verify-full`);
  const isDirect = query.get('sslnegotiation') === 'direct';
  if (root === null) return { address, tls: { mode: known, isDirect } };
  query.delete(ROOT_CERTIFICATE);
  const rest = `${address.slice(0, length)}${query.size > 0 ? `?${query}` : ''}`;
  if (known === 'off' || known === 'preferred')
    throw refused(`${ROOT_CERTIFICATE} needs sslmode=verify-full: without it nobody checks who the server is`);
  const authorities = root === SYSTEM ? {} : { authorities: await certificatesIn(root) };
  // Whoever names an authority wants the server to be checked, as the tools of PostgreSQL take it.
  return { address: rest, tls: { mode: 'checked', isDirect, ...authorities } };
}

async function certificatesIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw refused(`${ROOT_CERTIFICATE}: cannot read the file: ${error.message}`);
  });
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw refused(`${ROOT_CERTIFICATE}: ${file} holds no certificate in PEM form`);
}

/** @throws ConfigurationError */
function parts(address: string): { hosts: string; database: string; length: number } {
  // Several hosts, of which one is the primary, are no URL for JavaScript.
  const found = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?([^@/?#]+)\/([^@/?#]+)(?=\?|$)/.exec(address);
  const [{ length } = '', hosts = '', database = ''] = found ?? [];
  if (found === null) throw refused('expected postgresql://user:password@host:5432/database');
  return { hosts, database, length };
}

function refused(why: string): ConfigurationError {
  return new ConfigurationError(`the address of the database: ${why}`);
}
