import {
  type Installation,
  type InstallationEnvironment,
  type PrivateEngine,
  type ScenarioContext,
  startInstallation,
  startPrivateRedis,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { type Link, openLink } from '../sharing/link.ts'

export type Region = 'eu' | 'us'

/** A company in eu with a Redis of this run, and persons in us. */
export interface Site {
  readonly installation: Installation
  readonly redis: PrivateEngine
  /** By which each region reaches the other's NATS server; cut together. */
  readonly links: readonly Link[]
}

export const LIFETIME_SECONDS = 20
/** A fault is noticed while it lasts. */
const HASTY = { ASK_TIMEOUT_MS: '2000', REDIS_TIMEOUT_MS: '500', TWOFA_TTL_SECONDS: String(LIFETIME_SECONDS) }

export async function startSite(context: ScenarioContext): Promise<Site> {
  const redis = await startPrivateRedis()
  context.onEnd(() => redis.remove())
  const links: Link[] = []
  const installation = await startInstallation({
    settings: { ...UNLIMITED_RATES, ...HASTY },
    onStep: (step) => context.progress(step),
    async adjust(environment) {
      const [eu, us] = await Promise.all([linkFrom(environment, 'eu'), linkFrom(environment, 'us')])
      links.push(eu.link, us.link)
      return { ...environment, eu: { ...eu.environment, REDIS_URL: redis.url }, us: us.environment }
    },
  })
  context.onEnd(async () => void (await Promise.all(links.map((link) => link.close()))))
  context.onEnd(() => installation.stop())
  return { installation, redis, links }
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
