import { installSlowGuard } from '@sealpost/kernel'
import { type Database, runStatement } from '@sealpost/postgres'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { type PrivatePostgres, startPrivatePostgres } from '../engines/postgres.ts'
import { describeFailover } from './postgres/failover.ts'
import { describeLimits } from './postgres/limits.ts'
import { describeRepeats } from './postgres/repeats.ts'
import { CREATE_TABLES, type OpenDatabase, type Site } from './postgres/site.ts'
import { describeReads, describeWrites } from './postgres/statements.ts'
import { describeGuard, describeTransactions } from './postgres/transactions.ts'

/** What every implementation of the database port promises. It starts servers of its own: some promises need one to die. */
export function describeDatabase(openDatabase: OpenDatabase): void {
  // What stands in trouble here does so on purpose; a guard of an earlier file in the same process would forbid it.
  beforeAll(() => installSlowGuard(null))
  describe('one server', () => {
    const site = useSite(openDatabase)
    describe('a transaction', () => describeTransactions(site))
    describe('a transaction in trouble', () => describeRepeats(site))
    describe('a write', () => describeWrites(site))
    describe('a read', () => describeReads(site))
    describe('a limit', () => describeLimits(site))
    describe('the guard', () => describeGuard(site))
  })
  // Each of its tests starts, kills and promotes real servers.
  describe('a list of servers', () => describeFailover(openDatabase))
}

function useSite(openDatabase: OpenDatabase): () => Site {
  let server: PrivatePostgres
  let database: Database
  beforeAll(async () => {
    server = await startPrivatePostgres({ settings: { deadlock_timeout: '50ms' } })
    database = openDatabase({ url: server.url })
    await database.transaction(async (tx) => void (await runStatement(tx, CREATE_TABLES, [])))
  })
  afterAll(async () => {
    await database.close()
    await server.remove()
  })
  beforeEach(() => database.transaction(async (tx) => void (await runStatement(tx, 'truncate note', []))))
  return () => ({ server, database, open: (options) => openDatabase({ url: server.url, ...options }) })
}
