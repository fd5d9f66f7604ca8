import { type PrivatePostgres, startPrivatePostgres, variableName } from '@sealpost/testkit/engines'

const VARIABLE = variableName(['directory', 'postgresUrl'])

/**
 * [Note: no disk under test databases] A live test file makes up to three databases and drops them, each of which waits
 * until the disk has everything: that was most of the run. Here nobody reads them after the run, so their server never
 * waits for a disk; what a test sees of it is the same. Tests of crashes start servers of their own, which do.
 */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  // Many installations run side by side, each with a front door and two regions.
  max_connections: '300',
  max_wal_size: '512MB',
}

/** Runs once before the live tests, unless a server is named by the environment; what it answers runs once after them. */
export default async function startDatabasesServer(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[VARIABLE] !== undefined) return undefined
  const server: PrivatePostgres = await startPrivatePostgres({ settings, inMemory: true })
  // Workers inherit it; see `readEngines`.
  process.env[VARIABLE] = server.url
  return () => server.remove()
}
