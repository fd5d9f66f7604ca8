import { testDatabasesDropped } from '@sealpost/testkit/databases'
import { type PrivatePostgres, startPrivatePostgres, variableName } from '@sealpost/testkit/engines'

const WORKERS_END_MS = 30_000
const VARIABLE = variableName(['directory', 'postgresUrl'])

/**
 * A live test file makes up to three databases and drops them, each of which waits
 * until the disk has everything: that was most of the run. They are not needed after the run, so their server never
 * waits for a disk; what a test sees of it is the same. Tests of crashes start servers of their own, which do.
 */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  // Many installations run side by side, each with a front door and two regions.
  max_connections: '300',
  max_wal_size: '512MB',
  // Each installation has three databases of hundreds of tables, which live for seconds: it would look at all of them.
  autovacuum: 'off',
  jit: 'off',
  shared_buffers: '256MB',
}

/** Runs once before the live tests, unless a server is named by the environment; what it answers runs once after them. */
export default async function startDatabasesServer(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[VARIABLE] !== undefined) return undefined
  const server: PrivatePostgres = await startPrivatePostgres({ settings, inMemory: true })
  // Workers inherit it; see `readEngines`.
  process.env[VARIABLE] = server.url
  return async () => {
    // Vitest ends its workers at the same time, and a region cannot close without its database.
    const areDropped = await testDatabasesDropped(server.url, WORKERS_END_MS)
    if (!areDropped) console.error('some test databases were not dropped: a worker did not close what it had opened')
    await server.remove()
  }
}
