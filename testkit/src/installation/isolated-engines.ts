import { DIRECTORY, FORWARDER, parseParty } from '@sealpost/bus'
import { frontDoorMigrations } from '@sealpost/front-door'
import type { Secret } from '@sealpost/kernel'
import { regionMigrations } from '@sealpost/region'
import { createTestDatabase } from '../databases.ts'
import {
  createBusLogins,
  type Engines,
  type PrivateEngine,
  readEngines,
  startPrivateNats,
  startPrivateRedis,
} from '../engines/index.ts'
import { type Opened, openWhole, settleAll } from '../opening.ts'

/** Engines of this installation alone: clones of migrated databases, a NATS for each region and a Redis. */
export interface IsolatedEngines {
  readonly engines: Engines
  readonly nats: { readonly eu: PrivateEngine; readonly us: PrivateEngine }
  /** Of the users without limits at the two NATS servers: for tests that watch or change them. */
  readonly natsObservers: { readonly eu: Secret<string>; readonly us: Secret<string> }
  /** The setting `NATS_KEYS` of a forwarder. */
  readonly forwarderKeys: Secret<string>
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
  const { settings, accounts } = makeLogins()
  const [directory, eu, us, euNats, usNats, redis] = await settleAll([
    database('directory', frontDoorMigrations),
    database('region', regionMigrations),
    database('region', regionMigrations),
    engine(startPrivateNats({ account: accounts.eu })),
    engine(startPrivateNats({ account: accounts.us })),
    engine(startPrivateRedis()),
  ])
  const redisUrl = redis.url
  return {
    engines: {
      directory: {
        postgresUrl: directory.url,
        natsUrl: euNats.url,
        natsKeys: settings.directory,
        redisUrl,
      },
      eu: { s3: found.eu.s3, postgresUrl: eu.url, natsUrl: euNats.url, natsKeys: settings.eu, redisUrl },
      us: { s3: found.us.s3, postgresUrl: us.url, natsUrl: usNats.url, natsKeys: settings.us, redisUrl },
    },
    nats: { eu: euNats, us: usNats },
    natsObservers: { eu: accounts.eu.observer, us: accounts.us.observer },
    forwarderKeys: settings.forwarder,
    redis,
    remove: () => opened.disposeAsync(),
  }
}

function makeLogins() {
  const [eu, us] = [parseParty('eu'), parseParty('us')]
  const logins = createBusLogins()
  return {
    settings: {
      directory: logins.setting(DIRECTORY),
      forwarder: logins.setting(FORWARDER),
      eu: logins.setting(eu),
      us: logins.setting(us),
    },
    accounts: { eu: logins.server(eu), us: logins.server(us) },
  }
}
