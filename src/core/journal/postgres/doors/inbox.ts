import { StandbyError } from '../../../base/errors.js';
import type { Inbox, InboxEntry } from '../../doors.js';
import type { Database } from '../connection/database.js';
import type { Writer } from '../writer.js';
import { LEADER, Notifier } from './notifier.js';

const MOST = 500;

export class PostgresInbox implements Inbox {
  /** @param writer of the leader */
  constructor(
    private readonly database: Database,
    private readonly writer: Writer | undefined,
  ) {}

  async put(environment: string, attemptId: string, body: string): Promise<void> {
    await this.database.transaction(async (sql) => {
      await sql`
        INSERT INTO cloud_terminal.inbox (environment, attempt_id, body) VALUES (${environment}, ${attemptId}, ${body})`;
      await Notifier.notify(sql, LEADER, environment);
    });
  }

  async list(environment: string, known: readonly number[]): Promise<InboxEntry[]> {
    const rows = await this.database.read(
      (sql) => sql`
        SELECT place, attempt_id, body FROM cloud_terminal.inbox
        WHERE environment = ${environment}
          AND place NOT IN (SELECT json_array_elements_text(${JSON.stringify(known)}::text::json)::bigint)
        ORDER BY place LIMIT ${MOST}`,
    );
    return rows.map(({ place, attempt_id, body }) => ({ place: Number(place), attemptId: attempt_id, body }));
  }

  async remove(place: number): Promise<void> {
    if (this.writer === undefined) throw new StandbyError('this process does not lead');
    await this.writer.change({
      write: async (sql) => {
        await sql`DELETE FROM cloud_terminal.inbox WHERE place = ${place}`;
      },
    });
  }
}
