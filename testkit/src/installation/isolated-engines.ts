import { frontDoorMigrations } from '@sealpost/front-door'
import { regionMigrations } from '@sealpost/region'
import { createTestDatabase } from '../databases.ts'
import { type Engines, type PrivateEngine, readEngines, startPrivateNats, startPrivateRedis } from '../engines/index.ts'
import { type Opened, openWhole, settleAll } from '../opening.ts'

/** Engines of this installation alone: clones of migrated databases, a NATS for each region and a Redis. */
export interface IsolatedEngines {
  readonly engines: Engines
  readonly nats: { readonly eu: PrivateEngine; readonly us: PrivateEngine }
  readonly redis: PrivateEngine
  remove(): Promise<void>
}

/** Two installations on one bus would answer each other's asks, so each run gets its own. */
export function startIsolatedEngines(): Promise<IsolatedEngines> {
  return openWhole(start)
}

async function start(opened: Opened): Promise<IsolatedEngines> {
  const found = readEngines()
  const own = <T>(starting: Promise<T>, free: (started: T) => Promise<void>): Promise<T> =>
    starting.then((started) => {
      opened.defer(() => free(started))
      return started
    })
  const database = (template: string, migrations: typeof regionMigrations) =>
    own(createTestDatabase({ template, migrations }), (created) => created.drop())
  const engine = (starting: Promise<PrivateEngine>) => own(starting, (started) => started.remove())
  const [directory, eu, us, euNats, usNats, redis] = await settleAll([
    database('directory', frontDoorMigrations),
    database('region', regionMigrations),
    database('region', regionMigrations),
    engine(startPrivateNats()),
    engine(startPrivateNats()),
    engine(startPrivateRedis()),
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
    remove: () => opened.disposeAsync(),
  }
}
