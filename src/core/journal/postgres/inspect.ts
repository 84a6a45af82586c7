import { randomUUID } from 'node:crypto';
import { JournalError } from '../../base/errors.js';
import type { Clock, Timer } from '../../base/seams.js';
import { Database, type Sql } from './connection/database.js';
import { VERSION } from './connection/schema.js';
import { unsafeSettings } from './store.js';

/** How long a notification may take, ms. */
const HEARD_WITHIN = 3000;

/** What can be said of a database without changing anything in it. */
export interface Inspection {
  /** Of the server, such as `15.9`. */
  version: string;
  /**
   * Of the journal's tables. `forbidden`: there are none, and this user may not make them. `unwritable`: this user may not write
   * to them, or the database takes no writes.
   */
  tables: 'ready' | 'none' | 'forbidden' | 'unwritable' | 'older' | 'newer';
  /** Settings by which a power cut may take back what was acknowledged. */
  unsafe: string[];
  /** The machine whose Node-RED has the journal now. */
  host?: string;
  /** Whether the direct address hears what the other one notifies, or why it cannot be used. Absent where there is none. */
  notifications?: 'heard' | 'unheard' | Error;
}

/** @param directAddress see `Database.at` @throws ConfigurationError, JournalError where it cannot be reached */
export async function inspectDatabase(address: string, clock: Clock, directAddress?: string): Promise<Inspection> {
  const database = await Database.at(address, clock, directAddress);
  try {
    const [server] = await database.read(
      (sql) => sql`
        SELECT current_setting('server_version') AS version, to_regclass('cloud_terminal.form') IS NOT NULL AS has_tables,
          has_database_privilege(current_database(), 'CREATE') AS may_create,
          current_setting('transaction_read_only') = 'off' AND NOT ${isPartForbidden(sql)} AS may_write`,
    );
    const found = {
      version: String(server?.version).split(' ')[0] ?? '',
      unsafe: await unsafeSettings(database),
      ...(directAddress === undefined ? {} : { notifications: await heardBy(database, clock) }),
    };
    if (!server?.has_tables && !server?.may_create) return { ...found, tables: 'forbidden' };
    if (!server.may_write) return { ...found, tables: 'unwritable' };
    if (!server.has_tables) return { ...found, tables: 'none' };
    const [form] = await database.read((sql) => sql`SELECT version FROM cloud_terminal.form`);
    const [leader] = await database.read(
      (sql) => sql`SELECT host FROM cloud_terminal.leader WHERE until > clock_timestamp()`,
    );
    const tables = form?.version === VERSION ? 'ready' : form?.version > VERSION ? 'newer' : 'older';
    return { ...found, tables, ...(leader === undefined ? {} : { host: String(leader.host) }) };
  } finally {
    await database.close();
  }
}

/** Whether there is a table, or a sequence of one, that this user may not use as the journal does. */
function isPartForbidden(sql: Sql) {
  return sql`EXISTS (
    SELECT FROM pg_class WHERE relnamespace = to_regnamespace('cloud_terminal') AND NOT CASE relkind
      WHEN 'r' THEN has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
        AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')
      WHEN 'S' THEN has_sequence_privilege(oid, 'USAGE')
      ELSE true
    END
  )`;
}

async function heardBy(database: Database, clock: Clock): Promise<'heard' | 'unheard' | Error> {
  const channel = `test_${randomUUID().replaceAll('-', '')}`;
  let stop: (() => Promise<void>) | undefined;
  let timer: Timer | undefined;
  try {
    let hear = (): void => undefined;
    const heard = new Promise<boolean>((resolve) => {
      hear = () => resolve(true);
    });
    stop = await database.listen(channel, () => hear());
    await database.read((sql) => sql`SELECT pg_notify(${channel}, '')`);
    const late = new Promise<boolean>((resolve) => {
      timer = clock.after(HEARD_WITHIN, () => resolve(false));
    });
    return (await Promise.race([heard, late])) ? 'heard' : 'unheard';
  } catch (error) {
    if (error instanceof JournalError) return error;
    throw error;
  } finally {
    timer?.cancel();
    await stop?.();
  }
}
