import {
  type Installation,
  type InstallationEnvironment,
  type ScenarioContext,
  startInstallation,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { type Link, openLink } from './link.ts'

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
      const [eu, us] = await Promise.all([openLinkFrom(environment, 'eu'), openLinkFrom(environment, 'us')])
      links.push(eu.link, us.link)
      return { ...environment, eu: eu.environment, us: us.environment }
    },
  })
  context.onEnd(async () => void (await Promise.all(links.map((link) => link.close()))))
  context.onEnd(() => installation.stop())
  context.progress('each region reaches the other by a link that can be cut')
  return { installation, links }
}

async function openLinkFrom(environment: InstallationEnvironment, region: Region) {
  const { REGIONS = '' } = environment[region]
  const nats = natsOfOther(REGIONS, region)
  const link = await openLink(nats)
  return { link, environment: { ...environment[region], REGIONS: REGIONS.replace(nats, link.url) } }
}

/** Parses `code|name|address|NATS` entries; in a test installation every region has its own NATS server. */
function natsOfOther(regions: string, own: Region): string {
  const entries = regions.split(',').map((entry) => entry.split('|'))
  const nats = entries.find(([code]) => code !== own)?.[3]
  if (nats === undefined) throw new Error(`no other region in ${regions}`)
  return nats
}
