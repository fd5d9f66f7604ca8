import { join } from 'node:path'
import { Secret } from '@sealpost/kernel'
import { createKeySigner, serveSigner, type SigningServer } from '@sealpost/pdf'
import { makePki, openFolder, startTimestampAuthority, type TimestampAuthority } from '@sealpost/pdf/testing'
import {
  type FaultProxy,
  type Installation,
  type InstallationEnvironment,
  makeBucket,
  readEngines,
  type ScenarioContext,
  startFaultProxy,
  startInstallation,
  testSeal,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { type Link, openLink } from '../sharing/link.ts'

export type Region = 'eu' | 'us'

/** A company in eu that seals with an authority and a signing process of this run, and customers in us. */
export interface Site {
  readonly installation: Installation
  readonly authority: TimestampAuthority
  /** The process that has the key; it runs here. */
  readonly signer: { stop(): Promise<void>; start(): Promise<void> }
  /** The wires to the file store. */
  readonly stores: Readonly<Record<Region, FaultProxy>>
  /** By which each region reaches the other's NATS server; cut together. */
  readonly links: readonly Link[]
}

/** A fault is noticed while it lasts. */
const HASTY = { ASK_TIMEOUT_MS: '3000', S3_WAIT_MS: '2000', DATABASE_POOL: '6', ALLOW_PRIVATE_TARGETS: '1' }

export async function startSite(context: ScenarioContext): Promise<Site> {
  const pki = await makePki()
  const authority = await startTimestampAuthority(pki)
  context.onEnd(() => authority.close())
  const path = join(openFolder().path, 'signer.sock')
  const signer = await startSigner(context, path)
  const wires = await openWires(context)
  const links: Link[] = []
  const installation = await startInstallation({
    settings: {
      ...UNLIMITED_RATES,
      ...HASTY,
      SEAL_KEY: '',
      SEAL_SIGNER: path,
      TSA_URL: authority.url,
      TSA_CERT: pki.path('root.pem'),
    },
    onStep: (step) => context.progress(step),
    async adjust(environment) {
      const [eu, us] = await Promise.all([linkFrom(environment, 'eu'), linkFrom(environment, 'us')])
      links.push(eu.link, us.link)
      return {
        ...environment,
        eu: { ...eu.environment, ...wires.settings.eu },
        us: { ...us.environment, ...wires.settings.us },
      }
    },
  })
  context.onEnd(async () => void (await Promise.all(links.map((link) => link.close()))))
  context.onEnd(() => installation.stop())
  return { installation, authority, signer, stores: wires.stores, links }
}

async function startSigner(context: ScenarioContext, path: string): Promise<Site['signer']> {
  const { certificate, key } = testSeal()
  const serve = (): Promise<SigningServer> => serveSigner(path, createKeySigner(certificate, new Secret(key)))
  let server: SigningServer | null = await serve()
  const stop = async (): Promise<void> => {
    const ending = server
    server = null
    await ending?.close()
  }
  context.onEnd(stop)
  return {
    stop,
    async start() {
      server ??= await serve()
    },
  }
}

/** A bucket of its own for each region, so that every object in it is of this run. */
async function openWires(context: ScenarioContext) {
  const engines = readEngines()
  const open = async (region: Region) => {
    const { s3 } = engines[region]
    const store = await startFaultProxy(s3.endpoint)
    context.onEnd(() => store.close())
    const { name } = await makeBucket(s3, { isVersioned: false })
    return { store, settings: { S3_ENDPOINT: store.url, S3_BUCKET: name } }
  }
  const [eu, us] = [await open('eu'), await open('us')]
  return { stores: { eu: eu.store, us: us.store }, settings: { eu: eu.settings, us: us.settings } }
}

async function linkFrom(environment: InstallationEnvironment, region: Region) {
  const { REGIONS = '' } = environment[region]
  const other = REGIONS.split(',')
    .map((entry) => entry.split('|'))
    .find(([code]) => code !== region)
  const nats = other?.[3] ?? ''
  const link = await openLink(nats)
  return { link, environment: { ...environment[region], REGIONS: REGIONS.replace(nats, link.url) } }
}
