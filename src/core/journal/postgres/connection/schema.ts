import { JournalError } from '../../../base/errors.js';
import type { Database, TransactionSql } from './database.js';

/** Identifies our migrations among all that take advisory locks in the database: "cloud", as a number. */
const MIGRATION_LOCK = 0x636c6f75;

/**
 * Each brings the tables from the version before to its own, the number of its place from 1. What is released is never
 * changed: a change of the tables is one more.
 */
const MIGRATIONS: readonly string[] = [
  `
  -- Which process has the journal. The fence grows with every change of the process.
  CREATE TABLE cloud_terminal.leader (
    id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    owner text NOT NULL,
    host text NOT NULL,
    fence bigint NOT NULL,
    -- How long the journal has been in use, ms.
    age bigint NOT NULL,
    until timestamptz NOT NULL
  );
  CREATE TABLE cloud_terminal.operation (
    operation_id text PRIMARY KEY,
    sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    environment text NOT NULL,
    fence bigint NOT NULL,
    closed boolean NOT NULL,
    -- Epoch ms.
    created_at bigint NOT NULL,
    prunable boolean NOT NULL,
    -- The age of the journal when it was changed last, ms.
    age bigint NOT NULL,
    -- What it is found by, hashed.
    keys text[] NOT NULL,
    -- JSON. Not jsonb: that cannot hold every text, and nothing is read out of it here.
    record text NOT NULL
  ) WITH (fillfactor = 70);
  CREATE INDEX operation_keys ON cloud_terminal.operation USING gin (keys);
  CREATE INDEX operation_environment ON cloud_terminal.operation (environment, created_at, sequence);
  CREATE INDEX operation_open ON cloud_terminal.operation (environment, sequence) WHERE NOT closed;
  CREATE INDEX operation_prunable ON cloud_terminal.operation (age, sequence) WHERE prunable;
  CREATE TABLE cloud_terminal.order_key (
    environment text NOT NULL,
    hash text NOT NULL,
    operation_id text NOT NULL REFERENCES cloud_terminal.operation ON DELETE CASCADE,
    PRIMARY KEY (environment, hash)
  );
  CREATE INDEX order_key_operation ON cloud_terminal.order_key (operation_id);
  CREATE TABLE cloud_terminal.repeat (
    id text PRIMARY KEY,
    environment text NOT NULL,
    created_at bigint NOT NULL,
    record text NOT NULL
  );
  CREATE INDEX repeat_environment ON cloud_terminal.repeat (environment, created_at, id);
  CREATE TABLE cloud_terminal.annotation (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Of the write, so that one that is made twice adds one row.
    write_id text NOT NULL UNIQUE,
    operation_id text NOT NULL REFERENCES cloud_terminal.operation ON DELETE CASCADE,
    annotation text NOT NULL
  );
  CREATE INDEX annotation_operation ON cloud_terminal.annotation (operation_id, place);
  -- Which merchants a key opens. Both are hashed; the merchants are a JSON array.
  CREATE TABLE cloud_terminal.merchant (key_id text PRIMARY KEY, merchants text NOT NULL);
  `,
  `
  -- The processes that share the journal. A row goes when its process has ended, and nothing is left to it then.
  CREATE TABLE cloud_terminal.replica (id text PRIMARY KEY, host text NOT NULL, until timestamptz NOT NULL);
  -- What doors ask of the leader. Bodies are sealed.
  CREATE TABLE cloud_terminal.request (
    id text PRIMARY KEY,
    environment text NOT NULL,
    replica text REFERENCES cloud_terminal.replica ON DELETE SET NULL,
    kind text NOT NULL,
    body text NOT NULL,
    asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Nobody begins with it from then on.
    until timestamptz NOT NULL,
    answer text
  );
  CREATE INDEX request_open ON cloud_terminal.request (environment, asked_at) WHERE answer IS NULL;
  CREATE INDEX request_replica ON cloud_terminal.request (replica);
  CREATE INDEX request_until ON cloud_terminal.request (until);
  -- Results on their way to the process that their message came in by.
  CREATE TABLE cloud_terminal.delivery (
    message text NOT NULL,
    sequence int NOT NULL,
    environment text NOT NULL,
    replica text REFERENCES cloud_terminal.replica ON DELETE SET NULL,
    place bigint GENERATED ALWAYS AS IDENTITY,
    body text NOT NULL,
    posted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    told_at timestamptz,
    PRIMARY KEY (message, sequence)
  );
  CREATE INDEX delivery_untold ON cloud_terminal.delivery (environment, replica, place) WHERE told_at IS NULL;
  CREATE INDEX delivery_replica ON cloud_terminal.delivery (replica);
  CREATE INDEX delivery_posted ON cloud_terminal.delivery (posted_at);
  -- Callbacks that doors have acknowledged. Bodies are sealed.
  CREATE TABLE cloud_terminal.inbox (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    environment text NOT NULL,
    attempt_id text NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX inbox_environment ON cloud_terminal.inbox (environment, place);
  -- Sealed receipts that an environment keeps.
  CREATE TABLE cloud_terminal.receipt (
    operation_id text PRIMARY KEY REFERENCES cloud_terminal.operation ON DELETE CASCADE,
    -- Age of the journal, ms.
    until bigint NOT NULL,
    receipts text NOT NULL
  );
  CREATE INDEX receipt_until ON cloud_terminal.receipt (until);
  `,
  `
  ALTER TABLE cloud_terminal.inbox ADD COLUMN put_at timestamptz NOT NULL DEFAULT clock_timestamp();
  CREATE INDEX inbox_put ON cloud_terminal.inbox (put_at);
  -- Which key has sealed the body.
  ALTER TABLE cloud_terminal.delivery ADD COLUMN seal_key text NOT NULL DEFAULT '';
  `,
  `
  -- See checksums.ts. Null: it was written without one.
  ALTER TABLE cloud_terminal.operation ADD COLUMN checksum bigint;
  ALTER TABLE cloud_terminal.repeat ADD COLUMN checksum bigint;
  ALTER TABLE cloud_terminal.annotation ADD COLUMN checksum bigint;
  `,
  `
  -- When it was written last, by the clock of the database. Null: by a version that did not say so.
  ALTER TABLE cloud_terminal.operation ADD COLUMN changed_at timestamptz;
  `,
  `
  -- The operation that it waits for. A quote within a text of the record is escaped, so that this finds no other.
  ALTER TABLE cloud_terminal.repeat
    ADD COLUMN first text GENERATED ALWAYS AS (substring(record from '"first":"([^"]*)"')) STORED;
  CREATE INDEX repeat_first ON cloud_terminal.repeat (first);
  `,
];

export const VERSION = MIGRATIONS.length;

/**
 * Brings the tables of a database to our version, whoever else is about to.
 * @throws JournalError where a later version of this package has changed them
 */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    const version = await versionIn(sql);
    mustKnow(version, database.place);
    for (const migration of MIGRATIONS.slice(version)) await sql.unsafe(migration).simple();
    if (version < VERSION) await sql`UPDATE cloud_terminal.form SET version = ${VERSION}`;
  });
}

/** @throws JournalError where a later version of this package has changed the tables since this process has looked at them */
export async function mustBeKnown(sql: TransactionSql, place: string): Promise<void> {
  const [form] = await sql`SELECT version FROM cloud_terminal.form`;
  mustKnow(Number(form?.version), place);
}

function mustKnow(version: number, place: string): void {
  if (version > VERSION) {
    throw new JournalError(
      `a newer version of this package has changed the journal in ${place} (form ${version}, this one knows ${VERSION}): ` +
        'install that version here too',
    );
  }
}

async function versionIn(sql: TransactionSql): Promise<number> {
  const [form] = await sql`SELECT to_regclass('cloud_terminal.form') AS name`;
  if (form?.name === null) {
    await sql`CREATE SCHEMA IF NOT EXISTS cloud_terminal`;
    await sql`CREATE TABLE cloud_terminal.form (version int NOT NULL)`;
    await sql`INSERT INTO cloud_terminal.form VALUES (0)`;
  }
  const [row] = await sql`SELECT version FROM cloud_terminal.form`;
  return Number(row?.version);
}
