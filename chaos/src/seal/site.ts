import { join } from 'node:path'
import { Secret } from '@sealpost/kernel'
import { createKeySigner, serveSigner, type SigningServer } from '@sealpost/pdf'
import { makePki, openFolder, startTimestampAuthority, type TimestampAuthority } from '@sealpost/pdf/testing'
import {
  type FaultProxy,
  type Installation,
  type ScenarioContext,
  startInstallation,
  testSeal,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { openFileStores } from '../file-stores.ts'
import type { Region } from '../inject-faults.ts'
import { type Link, linkRegions } from '../sharing/link.ts'

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
  const files = await openFileStores(context)
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
      const linked = await linkRegions(environment)
      links.push(...linked.links)
      const { eu, us } = linked.environment
      return { ...linked.environment, eu: { ...eu, ...files.settings.eu }, us: { ...us, ...files.settings.us } }
    },
  })
  context.onEnd(async () => void (await Promise.all(links.map((link) => link.close()))))
  context.onEnd(() => installation.stop())
  return { installation, authority, signer, stores: files.wires, links }
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
