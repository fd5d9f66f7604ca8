import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { PoolClient } from 'pg'
import { statementName } from './statement-name.ts'

/** Lets Kysely speak on a connection that somebody else opened, began and will commit. */
export function singleConnectionDialect(client: () => PoolClient): Dialect {
  const connection = connectionOf(client)
  return {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => ({
      init: () => Promise.resolve(),
      acquireConnection: () => Promise.resolve(connection),
      releaseConnection: () => Promise.resolve(),
      beginTransaction: refuseTransactions,
      commitTransaction: refuseTransactions,
      rollbackTransaction: refuseTransactions,
      destroy: () => Promise.resolve(),
    }),
  }
}

function refuseTransactions(): Promise<never> {
  return Promise.reject(new Error('transactions are opened by Database.transaction, not by the query builder'))
}

function connectionOf(client: () => PoolClient): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const name = statementName(query.sql)
      const values = [...query.parameters]
      const result = await client().query({ text: query.sql, values, ...(name === null ? {} : { name }) })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the query builder derived Row from the statement
      const rows = result.rows as Row[]
      return result.rowCount === null ? { rows } : { rows, numAffectedRows: BigInt(result.rowCount) }
    },
    // eslint-disable-next-line require-yield -- the interface wants a generator, and streaming is not offered
    async *streamQuery(): AsyncIterableIterator<never> {
      throw new Error('streaming is not offered: page by cursor')
    },
  }
}
