import { variableName } from './endpoints.ts'
import { type PrivatePostgres, startPrivatePostgres } from './postgres.ts'

const VARIABLE = variableName(['directory', 'postgresUrl'])

/**
 * Making and dropping databases waits until the disk has everything. Databases that are not needed after the run have a
 * server that never waits for a disk; what a test sees of it is the same. Tests of crashes start servers of their own, which do.
 */
const SETTINGS = {
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

/** For this process and those that it starts; null when the environment names a server already. */
export async function useThrowawayPostgres(): Promise<PrivatePostgres | null> {
  if (process.env[VARIABLE] !== undefined) return null
  const server = await startPrivatePostgres({ settings: SETTINGS, inMemory: true })
  // See `readEngines`.
  process.env[VARIABLE] = server.url
  return server
}
