import type { Clock } from '../../base/seams.js';
import { Database } from './connection/database.js';
import { VERSION } from './connection/schema.js';
import { unsafeSettings } from './store.js';

/** What can be said of a database without changing anything in it. */
export interface Inspection {
  /** Of the server, such as `15.9`. */
  version: string;
  /** Of the journal's tables. `forbidden`: there are none, and this user may not make them. */
  tables: 'ready' | 'none' | 'forbidden' | 'older' | 'newer';
  /** Settings by which a power cut may take back what was acknowledged. */
  unsafe: string[];
  /** The machine whose Node-RED has the journal now. */
  host?: string;
}

/** @throws ConfigurationError, JournalError where it cannot be reached */
export async function inspectDatabase(address: string, clock: Clock): Promise<Inspection> {
  const database = await Database.at(address, clock);
  try {
    const [server] = await database.read(
      (sql) => sql`
        SELECT current_setting('server_version') AS version, to_regclass('cloud_terminal.form') IS NOT NULL AS has_tables,
          has_database_privilege(current_database(), 'CREATE') AS may_create`,
    );
    const version = String(server?.version).split(' ')[0] ?? '';
    const unsafe = await unsafeSettings(database);
    if (!server?.has_tables) return { version, unsafe, tables: server?.may_create ? 'none' : 'forbidden' };
    const [form] = await database.read((sql) => sql`SELECT version FROM cloud_terminal.form`);
    const [leader] = await database.read(
      (sql) => sql`SELECT host FROM cloud_terminal.leader WHERE until > clock_timestamp()`,
    );
    const tables = form?.version === VERSION ? 'ready' : form?.version > VERSION ? 'newer' : 'older';
    return { version, unsafe, tables, ...(leader === undefined ? {} : { host: String(leader.host) }) };
  } finally {
    await database.close();
  }
}
