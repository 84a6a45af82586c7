import type { Sql, TransactionSql } from 'postgres';

/**
 * Runs one transaction, and no statement of it once its connection is lost. The driver itself would go on, with ROLLBACK at
 * least: without a connection, which ends the process, or on the next one, in the middle of another transaction.
 */
export function transact<T>(sql: Sql, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let lost: { error: unknown } | undefined;
    const lose = (error: unknown): void => {
      lost ??= { error };
      reject(error);
    };
    /** A query runs once somebody waits for it. */
    const guarded = (query: Promise<unknown>): unknown => {
      const then = query.then.bind(query);
      const guardedThen: typeof then = (done, failed) => {
        if (lost !== undefined) return Promise.reject(lost.error).then(done, failed);
        void then(undefined, (error) => {
          if (!isRefusedByServer(error)) lose(error);
        });
        return then(done, failed);
      };
      // biome-ignore lint/suspicious/noThenProperty: the driver's queries are thenables, which start once they are awaited
      return Object.assign(query, { then: guardedThen });
    };
    const transaction = sql.begin(async (inner) => {
      try {
        const result = await work(withEachQuery(inner, guarded));
        if (lost === undefined) return [result] as const;
      } catch (error) {
        if (lost === undefined) throw error;
      }
      // Neither COMMIT nor ROLLBACK.
      return new Promise<never>(() => undefined);
    });
    transaction.then((result) => resolve((result as readonly [T])[0]), lose);
  });
}

/** Whether the server has answered a statement with an error, so that the connection is of use. */
export function isRefusedByServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

function withEachQuery(sql: TransactionSql, pass: (query: Promise<unknown>) => unknown): TransactionSql {
  const passed = (made: unknown): unknown => (made instanceof Promise ? pass(made) : made);
  return new Proxy(sql, {
    apply: (target, self, given) => passed(Reflect.apply(target, self, given)),
    get: (target, name) =>
      name === 'unsafe' ? (text: string) => passed(target.unsafe(text)) : Reflect.get(target, name),
  });
}
