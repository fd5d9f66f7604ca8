import { writeFileSync } from 'node:fs'
import { ENGINES_FILE, type Engines, readEngines, variableName } from '@sealpost/testkit/engines'
import { planBrowser } from './browser.ts'
import { keyAt, localLogin, writeLocalCredentials } from './bus-folder.ts'
import { type EnginePlan, makeReady, type ReadyEngine, surveyEngine } from './engine.ts'
import { checkoutName, localFolder } from './local-folder.ts'
import { checkNats, type NatsAddress, planNats, reloadLogins } from './nats.ts'
import { installPackages } from './packages.ts'
import { planPdfTools } from './pdf-tools.ts'
import { ensureDatabase, planPostgres } from './postgres.ts'
import { planPython } from './python.ts'
import { checkRedis, planRedis } from './redis.ts'
import { ensureBucket, localS3, planS3 } from './s3.ts'

type Site = 'directory' | 'eu' | 'us'
type Region = Exclude<Site, 'directory'>

interface Wanted {
  readonly engine: string
  /** When all of these variables are set, the engine is managed elsewhere. */
  readonly givenBy: readonly string[]
  readonly plan: EnginePlan
}

const NATS_PORTS = { eu: 4222, us: 4223 } satisfies Record<Region, number>
const REDIS_DATABASES = { directory: 1, eu: 2, us: 3 } satisfies Record<Site, number>
/** On a busy machine, an engine may close a connection whose handshake is too slow. */
const FILL_TRIES = 3
const REGIONS: readonly Region[] = ['eu', 'us']
const SITES: readonly Site[] = ['directory', ...REGIONS]

/** `product`: the engines of the servers; `tests`: also the programs that only tests run. */
export type Extent = 'product' | 'tests'

/** Finds or starts every engine, creates databases and buckets, and writes their addresses to a file. */
export async function bringUp(extent: Extent): Promise<readonly ReadyEngine[]> {
  await writeLocalCredentials(REGIONS)
  for (const region of REGIONS) reloadLogins(region)
  const wanted = extent === 'tests' ? [...wantedEngines(), ...wantedPrograms()] : wantedEngines()
  const surveys = await Promise.all(wanted.map(({ givenBy, plan }) => surveyEngine(givenValue(givenBy), plan)))
  await installPackages(surveys.flatMap((survey) => (survey.state === 'missing' ? survey.packages : [])))
  const ready = await Promise.all(
    wanted.flatMap(({ engine }, index) => {
      const survey = surveys[index]
      return survey === undefined ? [] : [makeReady(engine, survey)]
    }),
  )
  writeEngines(ready)
  await fillEngines(readEngines())
  return ready
}

/** Creates missing databases and buckets; resolves when every engine has answered. */
async function fillEngines(engines: Engines): Promise<void> {
  await Promise.all([
    ...SITES.flatMap((site) => [
      fill(`${site}: PostgreSQL`, () => ensureDatabase(engines[site].postgresUrl)),
      fill(`${site}: NATS`, () => checkNats(natsAddress(engines, site))),
      fill(`${site}: Redis`, () => checkRedis(engines[site].redisUrl)),
    ]),
    ...REGIONS.map((region) => fill(`${region}: S3`, () => ensureBucket(engines[region].s3))),
  ])
}

async function fill(what: string, work: () => Promise<void>, tries = FILL_TRIES): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (tries > 1) return fill(what, work, tries - 1)
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function wantedEngines(): readonly Wanted[] {
  return [
    { engine: 'PostgreSQL', givenBy: ofEverySite('postgresUrl'), plan: planPostgres() },
    ...REGIONS.map(wantedNats),
    { engine: 'Redis', givenBy: ofEverySite('redisUrl'), plan: planRedis() },
    { engine: 'S3', givenBy: REGIONS.map((region) => variableName([region, 's3', 'endpoint'])), plan: planS3(REGIONS) },
  ]
}

function wantedPrograms(): readonly Wanted[] {
  return [
    { engine: 'Chromium', givenBy: [variableName(['chromium'])], plan: planBrowser() },
    { engine: 'PDF tools', givenBy: [variableName(['pdfTools'])], plan: planPdfTools() },
    { engine: 'Python', givenBy: [variableName(['python'])], plan: planPython() },
  ]
}

function wantedNats(region: Region): Wanted {
  const givenBy = [variableName([region, 'natsUrl'])]
  return { engine: `NATS ${region}`, givenBy, plan: planNats(region, NATS_PORTS[region]) }
}

function ofEverySite(member: string): readonly string[] {
  return SITES.map((site) => variableName([site, member]))
}

function givenValue(variables: readonly string[]): string | undefined {
  const values = variables.map((variable) => process.env[variable])
  return values.includes(undefined) ? undefined : [...new Set(values)].join(', ')
}

/** Addresses from the environment are not written: they may contain secrets, and are read from there again. */
function writeEngines(ready: readonly ReadyEngine[]): void {
  const url = (engine: string) => ready.find((one) => one.engine === engine && one.origin !== 'given')?.url
  // Keys are for both regions: they are not written when one of the NATS servers is managed elsewhere.
  const isOurs = REGIONS.every((name) => url(`NATS ${name}`) !== undefined)
  const login = (name: Site) => {
    if (!isOurs) return {}
    const { natsKeys, natsCaFile } = localLogin(name)
    return { natsKeys: natsKeys.reveal(), natsCaFile }
  }
  const site = (name: Site, natsRegion: Region) => ({
    ...login(name),
    postgresUrl: joined(url('PostgreSQL'), `/sealpost_${checkoutName()}_${name}`),
    natsUrl: url(`NATS ${natsRegion}`),
    redisUrl: joined(url('Redis'), `/${REDIS_DATABASES[name]}`),
  })
  const region = (name: Region) => ({ ...site(name, name), s3: { endpoint: url('S3'), ...localS3(name) } })
  // The directory is a party on the bus and connects to a region's server as a client.
  const engines = { directory: site('directory', 'eu'), eu: region('eu'), us: region('us') }
  localFolder()
  writeFileSync(ENGINES_FILE, `${JSON.stringify(engines, null, 2)}\n`, { mode: 0o600 })
}

/** How a site reaches its NATS; the directory connects to that of eu. */
export function natsAddress(engines: Engines, site: Site): NatsAddress {
  const { natsUrl: url, natsKeys, natsCaFile } = engines[site]
  return {
    url,
    party: site,
    ...(natsKeys === undefined ? {} : { key: keyAt(natsKeys, site === 'directory' ? 'eu' : site) }),
    ...(natsCaFile === undefined ? {} : { caFile: natsCaFile }),
  }
}

function joined(server: string | undefined, path: string): string | undefined {
  return server === undefined ? undefined : `${server}${path}`
}
