import {
  type Installation,
  type InstallationEnvironment,
  type ScenarioContext,
  startInstallation,
} from '@sealpost/testkit'
import { type Link, openLink } from '../link/link.ts'

export type Region = 'eu' | 'us'

/** Two regions as processes of their own, each reaching the other by a way that can be cut. */
export interface Site {
  readonly installation: Installation
  /** Both ways at once: a cable has two ends. */
  readonly links: readonly Link[]
}

const WIDE = '60000000'
const SETTINGS = {
  RATE_TOKEN: WIDE,
  RATE_DATA: WIDE,
  RATE_CHANGES: WIDE,
  RATE_CONNECTIONS: WIDE,
  DATABASE_POOL: '6',
}

export async function startSite(context: ScenarioContext): Promise<Site> {
  const links: Link[] = []
  const installation = await startInstallation({
    settings: SETTINGS,
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

/** From `code|name|address|NATS` entries; in a test installation every region has a NATS of its own. */
function natsOfOther(regions: string, own: Region): string {
  const entries = regions.split(',').map((entry) => entry.split('|'))
  const nats = entries.find(([code]) => code !== own)?.[3]
  if (nats === undefined) throw new Error(`there is no other region in ${regions}`)
  return nats
}
