import { type Database, type DatabaseOptions, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { PrivatePostgres } from '../../engines/postgres.ts'
import { waitUntil } from '../../engines/wait-until.ts'

export type OpenDatabase = (options: DatabaseOptions) => Database

/** The server that the tests of one suite share, and the implementation under test on it. */
export interface Site {
  readonly server: PrivatePostgres
  readonly database: Database
  /** A second database object on the same server, with other options; the test closes it. */
  open(options: Partial<DatabaseOptions>): Database
}

export const CREATE_TABLES = `
  do $create$ begin
    create table note (id int primary key, text text not null);
    create table slow_commit (x text);
    create function sleep_at_commit() returns trigger language plpgsql as
      'begin perform pg_sleep(10); return null; end';
    create constraint trigger slow after insert on slow_commit deferrable initially deferred
      for each row execute function sleep_at_commit();
  end $create$`

export async function writeNote(tx: Tx, id: number, text: string): Promise<void> {
  await runStatement(tx, 'insert into note (id, text) values ($1, $2)', [id, text])
}

export async function appendToNote(tx: Tx, id: number, text: string): Promise<void> {
  await runStatement(tx, 'update note set text = text || $2 where id = $1', [id, text])
}

export async function readNotes(read: Read): Promise<readonly string[]> {
  const rows = await runStatement<{ text: string }>(read, 'select text from note order by id', [])
  return rows.map((row) => row.text)
}

export async function backendOf(read: Read): Promise<number> {
  const [row] = await runStatement<{ pid: number }>(read, 'select pg_backend_pid() as pid', [])
  return row?.pid ?? 0
}

export async function terminate(database: Database, backend: number): Promise<void> {
  await database.read((read) => runStatement(read, 'select pg_terminate_backend($1, 5000)', [backend]))
}

export async function findCommitting(database: Database): Promise<number> {
  const sql = `select pid from pg_stat_activity where state = 'active' and query = 'COMMIT'`
  let backend = 0
  await waitUntil('a transaction is committing', 5000, async () => {
    const [row] = await database.read((read) => runStatement<{ pid: number }>(read, sql, []))
    backend = row?.pid ?? 0
    return backend !== 0
  })
  return backend
}
