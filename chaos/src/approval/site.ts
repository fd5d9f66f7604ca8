import {
  type Installation,
  type PrivateEngine,
  type ScenarioContext,
  startInstallation,
  startPrivateRedis,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { type Link, linkRegions } from '../sharing/link.ts'

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
      const linked = await linkRegions(environment)
      links.push(...linked.links)
      return { ...linked.environment, eu: { ...linked.environment.eu, REDIS_URL: redis.url } }
    },
  })
  context.onEnd(async () => void (await Promise.all(links.map((link) => link.close()))))
  context.onEnd(() => installation.stop())
  return { installation, redis, links }
}
