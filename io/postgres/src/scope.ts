import { Kysely } from 'kysely'
import type { PoolClient, QueryResultRow } from 'pg'
import { singleConnectionDialect } from './single-connection-dialect.ts'
import { statementName } from './statement-name.ts'

const held = Symbol('held connection')
const writable = Symbol('writable')

interface Held {
  /** Null once the scope has ended: the connection then serves somebody else. */
  client: PoolClient | null
  kysely: Kysely<unknown> | null
  /** How many statements may still be made. */
  left: number
}

/** A connection that may only read. Store functions that select take this; a `Tx` is one too. */
export interface Read {
  readonly [held]: Held
}

/** An open transaction. Only `Database.transaction` makes one, so a store function cannot be called outside of it. */
export interface Tx extends Read {
  readonly [writable]: true
  /** Runs once the transaction is durable: wake-ups and other hints, never anything that must happen. */
  afterCommit(act: () => void): void
}

/** Kysely on this scope's connection, typed by the schema of the module that asks. */
export function queries<Schema>(scope: Read): Kysely<Schema> {
  const hold = scope[held]
  hold.kysely ??= new Kysely<unknown>({ dialect: singleConnectionDialect(() => useClient(hold)) })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema exists in types only: each module names its own tables
  return hold.kysely as Kysely<Schema>
}

/** A hot statement by its text, prepared once per connection; about half the CPU of the query builder. */
export async function runStatement<Row extends QueryResultRow>(
  scope: Read,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const name = statementName(text)
  const query = { text, values: [...values], ...(name === null ? {} : { name }) }
  const result = await useClient(scope[held]).query<Row>(query)
  return result.rows
}

export interface OpenRead {
  readonly read: Read
  close(): void
}

export function openRead(client: PoolClient): OpenRead {
  const hold: Held = { client, kysely: null, left: Infinity }
  return { read: { [held]: hold }, close: () => closeHold(hold) }
}

export interface OpenTx {
  readonly tx: Tx
  readonly afterCommit: readonly (() => void)[]
  close(): void
}

export function openTx(client: PoolClient, statements = Infinity): OpenTx {
  const afterCommit: (() => void)[] = []
  const hold: Held = { client, kysely: null, left: statements }
  const tx: Tx = {
    [held]: hold,
    [writable]: true,
    afterCommit(act) {
      clientOf(hold)
      afterCommit.push(act)
    },
  }
  return { tx, afterCommit, close: () => closeHold(hold) }
}

function useClient(hold: Held): PoolClient {
  if (hold.left === 0) throw new Error('a write is one statement: open a transaction for several')
  hold.left -= 1
  return clientOf(hold)
}

function clientOf(hold: Held): PoolClient {
  if (hold.client === null) throw new Error('this transaction or read has ended: await every query before it does')
  return hold.client
}

function closeHold(hold: Held): void {
  hold.client = null
}
