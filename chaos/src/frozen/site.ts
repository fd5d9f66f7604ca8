import { DIRECTORY, parseParty } from '@sealpost/bus'
import { Secret } from '@sealpost/kernel'
import { openObjects } from '@sealpost/objects'
import {
  type Engines,
  type FaultProxy,
  type Installation,
  POSTGRES_USER,
  type PrivateEngine,
  type PrivatePostgres,
  readEngines,
  type ScenarioContext,
  startFaultProxy,
  startInstallation,
  createBusLogins,
  startPrivateNats,
  startPrivatePostgres,
  startPrivateRedis,
  startPrivateS3,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { Client } from 'pg'
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts'

const EU = parseParty('eu')
const US = parseParty('us')

/** An engine of this run alone, and the wire by which the apps reach it. */
export interface Placed<Engine extends PrivateEngine = PrivateEngine> {
  /** Null for an S3 server that other runs use, too: only its wire fails. */
  readonly engine: Engine | null
  readonly proxy: FaultProxy
}

/** A front door and two regions; the engines of eu and of the directory can be made to fail. */
export interface Site {
  readonly installation: Installation
  readonly region: Placed<PrivatePostgres>
  readonly directory: Placed<PrivatePostgres>
  readonly redis: Placed
  readonly nats: Placed
  readonly s3: Placed
  /** The disk of the database of eu; null where this machine allows no mounting. */
  readonly disk: SmallDisk | null
}

export interface SiteWish {
  /** Starts an S3 server too, which takes some seconds more. */
  readonly ownS3: boolean
  readonly settings: Readonly<Record<string, string>>
}

const POSTGRES = { inMemory: true, settings: { fsync: 'off' } }

type PrivateS3 = Awaited<ReturnType<typeof startPrivateS3>>

function credentialsOf(s3: PrivateS3 | null) {
  if (s3 === null) return {}
  return { accessKeyId: s3.accessKeyId, secretAccessKey: new Secret(s3.secretAccessKey), bucket: 'chaos' }
}

export async function startSite(context: ScenarioContext, { ownS3, settings }: SiteWish): Promise<Site> {
  const owned = async <Engine extends PrivateEngine>(starting: Promise<Engine>): Promise<Engine> => {
    const engine = await starting
    context.onEnd(() => engine.remove())
    return engine
  }
  const logins = createBusLogins()
  const [regionPostgres, directoryPostgres, redisEngine, natsEngine, usNats, s3Engine] = await Promise.all([
    owned(startPrivatePostgres(POSTGRES)),
    owned(startPrivatePostgres(POSTGRES)),
    owned(startPrivateRedis()),
    owned(startPrivateNats({ account: logins.server(EU) })),
    owned(startPrivateNats({ account: logins.server(US) })),
    ownS3 ? owned(startPrivateS3()) : null,
  ])
  context.progress('the engines run')
  const disk = await mountSmallDisk(context, { megabytes: 192, owner: POSTGRES_USER })
  const eu = await createDatabase(regionPostgres, 'eu', disk)
  const directory = await createDatabase(directoryPostgres, 'directory')
  const us = await createDatabase(directoryPostgres, 'us')
  const place = async <Engine extends PrivateEngine>(engine: Engine | null, url: string): Promise<Placed<Engine>> => {
    const proxy = await startFaultProxy(url)
    context.onEnd(() => proxy.close())
    return { engine, proxy }
  }
  const found = readEngines()
  const site = {
    region: await place(regionPostgres, eu),
    directory: await place(directoryPostgres, directory),
    redis: await place(redisEngine, redisEngine.url),
    nats: await place(natsEngine, natsEngine.url),
    s3: await place(s3Engine, s3Engine?.url ?? found.eu.s3.endpoint),
    disk,
  }
  const shared = { natsUrl: site.nats.proxy.url, redisUrl: site.redis.proxy.url }
  const engines: Engines = {
    directory: { ...shared, natsKeys: logins.setting(DIRECTORY), postgresUrl: site.directory.proxy.url },
    eu: {
      ...shared,
      natsKeys: logins.setting(EU),
      postgresUrl: site.region.proxy.url,
      s3: { ...found.eu.s3, ...credentialsOf(s3Engine), endpoint: site.s3.proxy.url },
    },
    us: {
      redisUrl: redisEngine.url,
      natsUrl: usNats.url,
      natsKeys: logins.setting(US),
      postgresUrl: us,
      s3: found.us.s3,
    },
  }
  if (s3Engine !== null) await openObjects({ ...engines.eu.s3, forcePathStyle: true }).ensureBucket()
  const installation = await startInstallation({
    engines,
    settings: { ...UNLIMITED_RATES, ...settings },
    onStep: (step) => context.progress(step),
  })
  context.onEnd(() => installation.stop())
  return { installation, ...site }
}

async function createDatabase(server: PrivatePostgres, name: string, disk: SmallDisk | null = null): Promise<string> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  try {
    if (disk !== null) await client.query(`create tablespace small location '${disk.folder}'`)
    await client.query(`create database ${name}${disk === null ? '' : ' tablespace small'}`)
  } finally {
    await client.end()
  }
  return server.url.replace(/\/postgres$/, `/${name}`)
}
