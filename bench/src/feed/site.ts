import {
  type AppProcess,
  askToken,
  type CompanyPersona,
  forge,
  harborline,
  type Installation,
  northwind,
  payloadOf,
  type ScenarioContext,
  startInstallation,
} from '@sealpost/testkit'

/** A region whose database is filled with feeds of one company. */
export interface FeedRegion {
  readonly app: AppProcess
  readonly databaseUrl: string
  /** How its connections are called in the database. */
  readonly applicationName: string
  readonly companyId: string
  /** A token of a client as the front door would sign it. */
  token(clientId: string): Promise<string>
}

export interface FeedSite {
  readonly installation: Installation
  /** Where very many feeds lie. */
  readonly large: FeedRegion
  /** Where few lie: both are there at the same time, so that what else the machine does falls on both. */
  readonly few: FeedRegion
}

/** One caller asks everything here: sizes of buckets are settings, the taking stays. */
const WIDE = '60000000'
const SETTINGS = {
  RATE_TOKEN: WIDE,
  RATE_DATA: WIDE,
  RATE_CONNECTIONS: WIDE,
  RATE_CHANGES: WIDE,
  DATABASE_POOL: '5',
  // What a worker does all the time is not what is measured here.
  REGION_ROLES: 'api',
}

export async function startFeedSite(context: ScenarioContext): Promise<FeedSite> {
  const installation = await startInstallation({ settings: SETTINGS, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  return {
    installation,
    large: await openFeedRegion(installation, 'eu', northwind),
    few: await openFeedRegion(installation, 'us', harborline),
  }
}

async function openFeedRegion(
  installation: Installation,
  code: 'eu' | 'us',
  { clientId, clientSecret, companyId }: CompanyPersona,
): Promise<FeedRegion> {
  const { body, text } = await askToken(installation, clientId, clientSecret)
  if (typeof body['access_token'] !== 'string') throw new Error(`no token: ${text}`)
  const { iat: _iat, exp: _exp, ...claims } = payloadOf(body['access_token'])
  const place = { ...installation, clock: { now: () => Date.now() } }
  return {
    app: installation[code],
    databaseUrl: installation.environment[code]['DATABASE_URL'] ?? '',
    applicationName: `sealpost-region-${code}`,
    companyId,
    token: (client) =>
      forge(place, { ...claims, sub: claims.sub === clientId ? client : claims.sub, client_id: client }),
  }
}
