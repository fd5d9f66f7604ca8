import { testDatabasesDropped } from '@sealpost/testkit/databases'
import { useThrowawayPostgres } from '@sealpost/testkit/engines'

const WORKERS_END_MS = 30_000

/** Runs once before the live tests, unless a server is named by the environment; what it answers runs once after them. */
export default async function startDatabasesServer(): Promise<(() => Promise<void>) | undefined> {
  const server = await useThrowawayPostgres()
  if (server === null) return undefined
  return async () => {
    // Vitest ends its workers at the same time, and a region cannot close without its database.
    const areDropped = await testDatabasesDropped(server.url, WORKERS_END_MS)
    if (!areDropped) console.error('some test databases were not dropped: a worker did not close what it had opened')
    await server.remove()
  }
}
