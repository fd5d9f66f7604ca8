import { Kysely } from 'kysely'
import type { PoolClient, QueryResultRow } from 'pg'
import { singleConnectionDialect } from './single-connection-dialect.ts'
import { statementName } from './statement-name.ts'

const held = Symbol('held connection')
const writable = Symbol('writable')

interface Held {
  readonly client: PoolClient
  kysely: Kysely<unknown> | null
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
  hold.kysely ??= new Kysely<unknown>({ dialect: singleConnectionDialect(hold.client) })
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
  const result = await scope[held].client.query<Row>(query)
  return result.rows
}

export function openRead(client: PoolClient): Read {
  return { [held]: { client, kysely: null } }
}

export interface OpenTx {
  readonly tx: Tx
  readonly afterCommit: readonly (() => void)[]
}

export function openTx(client: PoolClient): OpenTx {
  const afterCommit: (() => void)[] = []
  const tx: Tx = {
    [held]: { client, kysely: null },
    [writable]: true,
    afterCommit: (act) => void afterCommit.push(act),
  }
  return { tx, afterCommit }
}
