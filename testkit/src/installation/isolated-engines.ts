import { frontDoorMigrations } from '@sealpost/front-door'
import { regionMigrations } from '@sealpost/region'
import { createTestDatabase } from '../databases.ts'
import { type Engines, type PrivateEngine, readEngines, startPrivateNats, startPrivateRedis } from '../engines/index.ts'

/** Engines that nobody else uses: clones of migrated databases, a NATS for each region and a Redis. */
export interface IsolatedEngines {
  readonly engines: Engines
  readonly nats: { readonly eu: PrivateEngine; readonly us: PrivateEngine }
  readonly redis: PrivateEngine
  remove(): Promise<void>
}

/** Two installations on one bus would answer each other's asks, so each run gets its own. */
export async function startIsolatedEngines(): Promise<IsolatedEngines> {
  const found = readEngines()
  const [directory, eu, us, euNats, usNats, redis] = await Promise.all([
    createTestDatabase({ template: 'directory', migrations: frontDoorMigrations }),
    createTestDatabase({ template: 'region', migrations: regionMigrations }),
    createTestDatabase({ template: 'region', migrations: regionMigrations }),
    startPrivateNats(),
    startPrivateNats(),
    startPrivateRedis(),
  ])
  const redisUrl = redis.url
  return {
    engines: {
      directory: { postgresUrl: directory.url, natsUrl: euNats.url, redisUrl },
      eu: { ...found.eu, postgresUrl: eu.url, natsUrl: euNats.url, redisUrl },
      us: { ...found.us, postgresUrl: us.url, natsUrl: usNats.url, redisUrl },
    },
    nats: { eu: euNats, us: usNats },
    redis,
    async remove() {
      await Promise.all([euNats.remove(), usNats.remove(), redis.remove()])
      await Promise.all([directory.drop(), eu.drop(), us.drop()])
    },
  }
}
