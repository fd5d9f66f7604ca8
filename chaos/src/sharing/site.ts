import { type Installation, type ScenarioContext, startInstallation, UNLIMITED_RATES } from '@sealpost/testkit'
import { type Link, linkRegions } from './link.ts'

export type Region = 'eu' | 'us'

/** Two regions in separate processes; each reaches the other's NATS server through a link that can be cut. */
export interface Site {
  readonly installation: Installation
  /** Both directions; they are cut together. */
  readonly links: readonly Link[]
}

export async function startSite(context: ScenarioContext): Promise<Site> {
  const links: Link[] = []
  const installation = await startInstallation({
    settings: { ...UNLIMITED_RATES, DATABASE_POOL: '6' },
    onStep: (step) => context.progress(step),
    async adjust(environment) {
      const linked = await linkRegions(environment)
      links.push(...linked.links)
      return linked.environment
    },
  })
  context.onEnd(async () => void (await Promise.all(links.map((link) => link.close()))))
  context.onEnd(() => installation.stop())
  context.progress('each region reaches the other by a link that can be cut')
  return { installation, links }
}
