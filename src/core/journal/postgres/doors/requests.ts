import { StandbyError } from '../../../base/errors.js';
import {
  ACCEPTED,
  BEGUN,
  type OpenRequest,
  type Request,
  RequestGoneError,
  type Requests,
  UncertainRequestError,
} from '../../doors.js';
import { type Database, type Sql, type TransactionSql, UnknownEndError } from '../connection/database.js';
import type { Change, Writer } from '../writer.js';
import { LEADER, Notifier } from './notifier.js';

const MOST = 500;
/** In place of an answer: whoever asked has taken it back. */
const WITHDRAWN = 'withdrawn';

/** @throws RequestGoneError where it was withdrawn, is too old, or its door has ended */
export async function acceptRequest(sql: TransactionSql, id: string, answer = ACCEPTED): Promise<void> {
  const [accepted] = await sql`
    UPDATE cloud_terminal.request SET answer = ${answer}, body = ''
    WHERE id = ${id} AND answer IS NULL AND replica IS NOT NULL AND until > clock_timestamp()
    RETURNING replica, environment`;
  if (accepted === undefined) throw new RequestGoneError(`request ${id} was taken back`);
  await Notifier.notify(sql, accepted.replica, accepted.environment);
}

export class PostgresRequests implements Requests {
  /** @param writer of the leader */
  constructor(
    private readonly database: Database,
    private readonly replica: string,
    private readonly writer: Writer | undefined,
  ) {}

  async ask({ id, environment, kind, body }: Request, forMs: number): Promise<void> {
    try {
      await this.database.transaction(async (sql) => {
        await sql`
          INSERT INTO cloud_terminal.request (id, environment, replica, kind, body, until)
          VALUES (
            ${id}, ${environment}, ${this.replica}, ${kind}, ${body},
            clock_timestamp() + ${Math.floor(forMs)} * interval '1 ms'
          )`;
        await Notifier.notify(sql, LEADER, environment);
      });
    } catch (error) {
      if (error instanceof UnknownEndError) throw new UncertainRequestError(error.message, { cause: error });
      throw error;
    }
  }

  async answers(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.read(
      (sql) => sql`
        SELECT id, answer FROM cloud_terminal.request
        WHERE id IN (SELECT json_array_elements_text(${JSON.stringify(ids)}::text::json))
          AND answer IS NOT NULL AND answer <> ${WITHDRAWN}`,
    );
    return new Map(rows.map(({ id, answer }) => [id, answer]));
  }

  async withdraw(id: string, environment: string): Promise<string | undefined> {
    // A row is left even where there is none, so that one which is still on its way to the database finds its place taken.
    const [withdrawn] = await this.database.transaction(
      (sql) => sql`
        INSERT INTO cloud_terminal.request AS asked (id, environment, kind, body, until, answer)
        SELECT ${id}, ${environment}, 'order', '', clock_timestamp(), ${WITHDRAWN}
        WHERE NOT EXISTS (SELECT 1 FROM cloud_terminal.operation WHERE operation_id = ${id})
          AND NOT EXISTS (SELECT 1 FROM cloud_terminal.repeat WHERE repeat.id = ${id})
        ON CONFLICT (id) DO UPDATE SET answer = ${WITHDRAWN}, body = '' WHERE asked.answer IS NULL
        RETURNING 1`,
    );
    if (withdrawn !== undefined) return undefined;
    const [taken] = await this.database.read(
      (sql) => sql`SELECT answer FROM cloud_terminal.request WHERE id = ${id} AND answer IS NOT NULL`,
    );
    const answer: string = taken?.answer ?? ACCEPTED;
    return answer === WITHDRAWN ? undefined : answer;
  }

  async open(environment: string): Promise<OpenRequest[]> {
    const rows = await this.database.read((sql) => openIn(sql, environment));
    return rows.map(({ id, kind, body, waited }) => ({ id, environment, kind, body, waitedMs: Math.max(0, waited) }));
  }

  async begin(id: string): Promise<void> {
    await this.change({
      takesSteps: true,
      write: async (sql) => {
        await acceptRequest(sql, id, BEGUN);
        return BEGUN;
      },
      // Whoever has begun meanwhile has the lease, so that this process does not send it.
      written: async (sql) => {
        const [row] = await sql`SELECT answer FROM cloud_terminal.request WHERE id = ${id}`;
        return row?.answer === BEGUN ? BEGUN : undefined;
      },
    });
  }

  async answer(id: string, answer: string): Promise<void> {
    await this.change({
      takesSteps: true,
      write: async (sql) => {
        const [answered] = await sql`
          UPDATE cloud_terminal.request SET answer = ${answer}, body = ''
          WHERE id = ${id} AND (answer IS NULL OR answer = ${BEGUN})
          RETURNING replica, environment`;
        if (answered?.replica) await Notifier.notify(sql, answered.replica, answered.environment);
      },
    });
  }

  private async change(change: Change<unknown>): Promise<void> {
    if (this.writer === undefined) throw new StandbyError('this process does not lead');
    await this.writer.change(change);
  }
}

function openIn(sql: Sql, environment: string) {
  return sql<(Pick<Request, 'id' | 'kind' | 'body'> & { waited: number })[]>`
    SELECT id, kind, body, (extract(epoch FROM clock_timestamp() - asked_at) * 1000)::float8 AS waited
    FROM cloud_terminal.request
    WHERE environment = ${environment} AND answer IS NULL AND replica IS NOT NULL AND until > clock_timestamp()
    ORDER BY asked_at LIMIT ${MOST}`;
}
